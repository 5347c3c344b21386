import { defineConfig } from "vitest/config";

export default defineConfig({
    // The shared components stand beside this folder.
    server: { fs: { allow: [".."] } },
    test: {
        // Those in real browsers are no business of vitest.
        include: ["tests/**/*.test.ts"],
        // It gives the shared components their words.
        setupFiles: ["src/i18n.ts"],
    },
});
