// Every output equals that of the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { before, test } from "node:test";
import { ADDRESS, extract, KEY_PAGE, ROOT } from "./site.js";

const HUSK = process.env.HUSK_BIN ?? fileURLToPath(new URL("../../../target/release/husk", import.meta.url));
const skip = existsSync(HUSK) ? false : `there is no ${HUSK}: cargo build --release makes it, or name one by HUSK_BIN`;
if (skip && process.env.HUSK_REQUIRE_TOOLS) throw new Error(skip);

let extraction;
before(() => {
    extraction = extract();
});

function husk(...args) {
    const site = ["--site", ROOT, "--base-url", ADDRESS, "--quiet"];
    return execFileSync(HUSK, [args[0], KEY_PAGE, ...site, ...args.slice(1)], { encoding: "utf8" });
}

// The formats that TypeScript knows are those of the engine's table.
const TYPES = readFileSync(new URL("../dist/husk.d.ts", import.meta.url), "utf8");
const [, FORMATS] = TYPES.match(/export interface Formats \{\n(.*?)\n\}/s);
for (const line of FORMATS.split("\n")) {
    const [part] = line.match(/\w+/);
    const formats = [...line.matchAll(/"([\w-]+)"/g)].map(([, name]) => name);
    for (const format of formats) {
        test(`${part} as ${format} is what the command prints`, { skip }, () => {
            assert.equal(extraction.write(part, format), husk(part, "--format", format));
        });
    }
}

for (const [method, args, parameter] of [
    ["templateJson", ["template", "--format", "json"]],
    ["menuJson", ["menu", "--format", "json"]],
    ["menuJson", ["menu", "--format", "json", "--all"], true],
    ["contentJson", ["content", "--format", "json"]],
    ["contentJson", ["content", "--format", "json", "--content-format", "html"], "html"],
    ["pageletsJson", ["pagelets", "--format", "json"]],
]) {
    test(`${method}(${parameter ?? ""}) is what husk ${args.join(" ")} prints`, { skip }, () => {
        assert.deepEqual(extraction[method](parameter), JSON.parse(husk(...args)));
    });
}

test("options of outputs", { skip }, () => {
    const written = extraction.write("template", "html", { scripts: "keep", links: "as-written" });
    assert.equal(written, husk("template", "--scripts", "keep", "--links", "as-written"));
    assert.throws(() => extraction.write("template", "html", { script: "keep" }), /output options: unknown field/);
    assert.throws(() => extraction.write("template", "twig"), /template has no format "twig": it has html, json/);
    assert.throws(() => extraction.contentJson("pdf"), /content format: unknown variant `pdf`/);
});

test("what was loaded, and why", () => {
    const { loaded, visits } = extraction.templateJson();
    assert.deepEqual(extraction.loaded, loaded);
    assert.deepEqual(extraction.visits, visits);
});

test("the content as a document", () => {
    const page = extraction.write("content", "html", { document: true });
    assert.match(page, /^<!DOCTYPE html>\n<html lang="en">/);
    assert.ok(page.includes(extraction.write("content", "html")));
});

test("marks tell what each part of the page is", () => {
    const { compared, marks } = extraction.marksJson();
    assert.equal(compared, extraction.compared.length);
    const classes = new Set(marks.map((mark) => mark.class));
    for (const name of ["template", "menu", "content"]) assert.ok(classes.has(name), name);
});
