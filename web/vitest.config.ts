import { defineConfig } from "vitest/config";

export default defineConfig({
    // The shared components stand beside this folder.
    server: { fs: { allow: [".."] } },
    test: {
        // Those in real browsers are no business of vitest.
        include: ["tests/**/*.test.ts"],
        setupFiles: ["tests/speaking.ts"],
        // Tests read style sheets: their colours have to be far enough apart.
        css: true,
    },
});
