// Runs the example of the README on the example site.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { file } from "./site.js";

test("the README's example prints what it says", async (context) => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const [, example] = /```js\n([^]*?)```/.exec(readme) ?? [];
    assert.ok(example);
    context.mock.method(globalThis, "fetch", async (url) => {
        const body = file(url);
        const response = new Response(body ?? "", { status: body ? 200 : 404, headers: { "content-type": "text/html" } });
        Object.defineProperty(response, "url", { value: url });
        return response;
    });
    const log = context.mock.method(console, "log", () => {});
    // Beside this file, so that it resolves the package.
    const module = new URL(`readme-example-${process.pid}.mjs`, import.meta.url);
    writeFileSync(module, example);
    try {
        await import(module);
    } finally {
        rmSync(module);
    }
    const [template, jinja, menu, content] = log.mock.calls.map((call) => call.arguments[0]);
    assert.match(template, /^<!DOCTYPE html>/);
    assert.match(jinja, /\{\{ title \| e \}\}/);
    assert.ok(menu.some((entry) => entry.label === "Visit"));
    assert.match(content, /# Tickets\n/);
});
