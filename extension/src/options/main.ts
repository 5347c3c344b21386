// The options page.
export {};
