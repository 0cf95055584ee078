import { resolve } from "node:path";
import { defineConfig } from "vite";

// The server puts the page below a token, so that all addresses are relative.
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    outDir: process.env["BRANCHWISE_PAGE"] ?? "../src/branchwise/studio/page",
    emptyOutDir: true,
    modulePreload: false,
    chunkSizeWarningLimit: 1000,
    license: { fileName: "licenses.md" },
  },
  // The page has the colors and letters of the report, and is built elsewhere.
  resolve: { alias: { "@report": process.env["BRANCHWISE_REPORT"] ?? resolve("../src/branchwise/report/assets") } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
