import { describe, expect, it } from "vitest";
import { FORM_GROUPS, fileName, formOf } from "../src/forms";

describe("names of files", () => {
    it.each([
        ["https://example.org/", "example.org.template.html"],
        ["https://example.org/docs/intro.html", "example.org-docs-intro.template.html"],
        ["https://example.org:8080/a//b/?q=1#x", "example.org-a-b.template.html"],
        ["https://example.org/caf%C3%A9/%E6%97%A5%E6%9C%AC", "example.org-café-日本.template.html"],
        ["https://example.org/%FF%00..%2F..%2Fetc", "example.org-FF-00-2F-2Fetc.template.html"],
        ["https://example.org/a%00%0Ab%3Cc%3E%7C", "example.org-a-b-c.template.html"],
        ["file:///C:/x/.htaccess", "C-x-htaccess.template.html"],
        ["data:text/html,", "text-html.template.html"],
    ])("of %s", (url, name) => {
        expect(fileName(url, "template.html")).toBe(name);
    });

    it("are not longer than systems take", () => {
        const name = fileName(`https://example.org/${"é".repeat(500)}`, "content.md");
        expect(new TextEncoder().encode(name).length).toBeLessThan(255);
    });
});

describe("forms", () => {
    it("have names and endings of their own", () => {
        const forms = FORM_GROUPS.flatMap((group) => group.forms);
        expect(new Set(forms.map((form) => form.name)).size).toBe(forms.length);
        expect(new Set(forms.map((form) => form.ending)).size).toBe(forms.length);
    });

    it("are found by name", () => {
        expect(formOf("menu-json").ending).toBe("menu.json");
        expect(formOf("no such form").name).toBe("template-html");
    });
});
