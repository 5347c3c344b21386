// The manifest of each browser: the same extension, in the words that the browser has for it.

import { readFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));

/** What an extension page may do: run what is in the package, and show a page's own style and pictures. */
const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "connect-src 'self' http: https:",
    "style-src 'self' 'unsafe-inline' http: https:",
    "img-src 'self' data: http: https:",
    "font-src data: http: https:",
    "media-src http: https:",
    // Results are shown in frames without an address; no page may be in them, not even one of the extension.
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
        // Private windows get results of their own, loaded with what is known there; otherwise they could get none.
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
