import { defineConfig } from "vitest/config";

export default defineConfig({
    test: {
        include: ["tests/**/*.test.ts"],
        // Tests read style sheets: their colours have to be far enough apart.
        css: true,
    },
});
