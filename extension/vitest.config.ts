import { defineConfig } from "vitest/config";

export default defineConfig({
    test: {
        // Those in real browsers are no business of vitest.
        include: ["tests/**/*.test.ts"],
        // Tests read style sheets: their colours have to be far enough apart.
        css: true,
    },
});
