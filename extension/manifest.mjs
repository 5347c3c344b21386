// The manifest of each browser.

import { readFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));

/** Scripts from the package only; styles and images from anywhere. */
const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "connect-src 'self' http: https:",
    "style-src 'self' 'unsafe-inline' http: https:",
    "img-src 'self' data: http: https:",
    "font-src data: http: https:",
    "media-src http: https:",
    // Results are shown with srcdoc; no frame may load a page.
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");

const common = {
    manifest_version: 3,
    name: "__MSG_extensionName__",
    description: "__MSG_extensionDescription__",
    version,
    default_locale: "en",
    icons: { 16: "icons/16.png", 32: "icons/32.png", 48: "icons/48.png", 128: "icons/128.png" },
    action: {
        default_title: "__MSG_extractTemplate__",
        default_icon: { 16: "icons/16.png", 32: "icons/32.png" },
    },
    permissions: ["activeTab", "contextMenus", "scripting", "storage"],
    optional_host_permissions: ["http://*/*", "https://*/*"],
    options_ui: { page: "options.html", open_in_tab: true },
    commands: {
        "extract-template": {
            suggested_key: { default: "Alt+Shift+E" },
            description: "__MSG_extractTemplate__",
        },
    },
    content_security_policy: { extension_pages: policy },
};

const own = {
    chromium: {
        minimum_chrome_version: "121",
        // Private windows need their own instance to open the results page.
        incognito: "split",
        background: { service_worker: "background.js", type: "module" },
    },
    firefox: {
        background: { scripts: ["background.js"], type: "module" },
        browser_specific_settings: {
            gecko: {
                id: "husk@husk.example",
                strict_min_version: "142.0",
                data_collection_permissions: { required: ["none"] },
            },
        },
    },
};

export const browsers = Object.keys(own);

export function manifest(browser) {
    return { ...common, ...own[browser] };
}
