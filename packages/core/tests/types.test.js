// Every output has its declared TypeScript type.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { defaultOptions } from "@husk/core";
import { extract } from "./site.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

function check(values) {
    const folder = mkdtempSync(join(tmpdir(), "husk-types-"));
    try {
        mkdirSync(join(folder, "node_modules/@husk"), { recursive: true });
        symlinkSync(here(".."), join(folder, "node_modules/@husk/core"));
        const lines = Object.entries(values).map(
            ([type, value], number) => `export const value${number}: husk.${type} = ${JSON.stringify(value)};`,
        );
        writeFileSync(join(folder, "values.ts"), ['import type * as husk from "@husk/core";', ...lines].join("\n"));
        const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--lib", "esnext,dom"];
        return spawnSync(process.execPath, [here("../node_modules/typescript/bin/tsc"), ...options, "values.ts"], {
            cwd: folder,
            encoding: "utf8",
        });
    } finally {
        rmSync(folder, { recursive: true });
    }
}

test("every output is of its declared type", () => {
    const extraction = extract();
    const { status, stdout } = check({
        Options: defaultOptions(),
        TemplateJson: extraction.templateJson(),
        MenuJson: extraction.menuJson(true),
        ContentJson: extraction.contentJson(),
        PageletsJson: extraction.pageletsJson(),
        MarksJson: extraction.marksJson(),
    });
    assert.equal(status, 0, stdout);
});

test("and a field that is not declared would be noticed", () => {
    const { status, stdout } = check({ MarksJson: { ...extract().marksJson(), more: 1 } });
    assert.notEqual(status, 0);
    assert.match(stdout, /more.* does not exist/);
});
