/** Builds the dashboard into web/dist, which Firebase Hosting serves; for the package, functions/pack.mjs names another folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const here = import.meta.dirname;

/** In a chunk of their own, Zod and its setting run before what makes schemas. All else that every page needs is one more. */
const chunks = [
  { name: "zod", test: /node_modules\/zod\/|src\/no-eval/ },
  { name: "first", tags: ["$initial" as const] },
];

export default defineConfig({
  root: here,
  resolve: {
    // The functions' schemas are used as they are; what they call Firestore is here the client library's.
    alias: [
      {
        find: /^(\.\.?\/)+((functions\/src\/)?documents\/)?firestore\.ts$/,
        replacement: join(here, "src", "firebase", "server-firestore.ts"),
      },
      { find: /^re2js$/, replacement: join(here, "src", "firebase", "no-re2.ts") },
    ],
    dedupe: ["zod", "firebase", "preact"],
  },
  plugins: [fontLicence(), withoutAppCheck()],
  // `npm run web` beside `npm start` or `npm run emulators`: Hosting's emulator says where the others are.
  server: { proxy: { "/__": "http://127.0.0.1:5005" } },
  build: {
    outDir: join(here, "dist"),
    emptyOutDir: true,
    target: "es2023",
    // Who hands the libraries on, as the package does, has to bring their licences.
    license: { fileName: "LICENSES.md" },
    // Inlined, they would be data: URLs, which the Content-Security-Policy need not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
    chunkSizeWarningLimit: 1_000,
  },
});

/** The font is no module, so Vite's list of licences lacks its own. */
function fontLicence(): Plugin {
  const path = join(here, "..", "node_modules", "@fontsource-variable", "inter", "LICENSE");
  return {
    name: "font-licence",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "LICENSE-Inter.txt", source: readFileSync(path, "utf8") });
    },
  };
}

/**
 * Hosting's policy lets a page load reCAPTCHA, for App Check. A build without its key narrows that: a page is bound by
 * both policies. `firerank doctor` tells by this which dashboards have no key.
 */
function withoutAppCheck(): Plugin {
  let hasKey = false;
  return {
    name: "without-app-check",
    apply: "build",
    configResolved: ({ env }) => {
      hasKey = Boolean(env["VITE_FIRERANK_APP_CHECK_KEY"]);
    },
    transformIndexHtml: () => {
      const content = "script-src 'self' https://apis.google.com";
      const attrs = { "http-equiv": "Content-Security-Policy", content };
      return hasKey ? [] : [{ tag: "meta", attrs, injectTo: "head-prepend" }];
    },
  };
}
