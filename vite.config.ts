/** Builds the page. One origin and a strict Content-Security-Policy: no inline script, no data: asset, no foreign host. */
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import autoprefixer from "autoprefixer";
import tailwindcss from "tailwindcss";
import { defineConfig, type Plugin } from "vite";
import tailwind from "./tailwind.config.ts";

/** Schemas build no state: those that a part of the page does not use need not be loaded with it. */
const pureSchemas: Plugin = {
  name: "pure-schemas",
  apply: "build",
  transform: (code, id) =>
    id.includes("/src/protocol/") ? code.replaceAll(/\bType\.[A-Z]\w*\(/g, "/* @__PURE__ */ $&") : null,
};

export default defineConfig({
  root: join(import.meta.dirname, "src/web"),
  base: "/",
  plugins: [pureSchemas, react()],
  css: { postcss: { plugins: [tailwindcss(tailwind), autoprefixer()] } },
  build: {
    outDir: join(import.meta.dirname, "dist/web"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id) => !/\/(src\/protocol|node_modules\/typebox)\//.test(id) },
    },
  },
});
