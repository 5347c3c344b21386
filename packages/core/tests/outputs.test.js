// Every output equals that of the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
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

for (const [method, args] of [
    ["templateHtml", ["template"]],
    ["templateXpath", ["template", "--format", "xpath"]],
    ["templateOutline", ["template", "--format", "outline"]],
    ["templateSelectors", ["template", "--format", "selectors"]],
    ["menuMarkdown", ["menu"]],
    ["menuHtml", ["menu", "--format", "html"]],
    ["contentMarkdown", ["content"]],
    ["contentText", ["content", "--format", "text"]],
    ["contentHtml", ["content", "--format", "html"]],
    ["inspection", ["inspect"]],
]) {
    test(`${method} is what husk ${args.join(" ")} prints`, { skip }, () => {
        assert.equal(extraction[method](), husk(...args));
    });
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

for (const engine of ["jinja", "liquid", "handlebars", "html-slots"]) {
    test(`the template for ${engine} is the command's`, { skip }, () => {
        assert.equal(extraction.templateFor(engine), husk("template", "--engine", engine));
    });
}

test("options of the template", { skip }, () => {
    const written = extraction.templateHtml({ scripts: "keep", links: "as-written" });
    assert.equal(written, husk("template", "--scripts", "keep", "--links", "as-written"));
    assert.throws(() => extraction.templateHtml({ script: "keep" }), /template options: unknown field/);
    assert.throws(() => extraction.templateFor("twig"), /engine: unknown variant `twig`/);
    assert.throws(() => extraction.contentJson("pdf"), /form: unknown variant `pdf`/);
});

test("what was loaded, and why", () => {
    const { loaded, visits } = extraction.templateJson();
    assert.deepEqual(extraction.loaded, loaded);
    assert.deepEqual(extraction.visits, visits);
});

test("the content as a document", () => {
    assert.match(extraction.contentDocument(), /^<!DOCTYPE html>\n<html lang="en">/);
    assert.match(extraction.contentDocument(), new RegExp(extraction.contentHtml().slice(0, 40)));
});

test("marks tell what each part of the page is", () => {
    const { compared, marks } = extraction.marksJson();
    assert.equal(compared, extraction.compared.length);
    const classes = new Set(marks.map((mark) => mark.class));
    for (const name of ["template", "menu", "content"]) assert.ok(classes.has(name), name);
});
