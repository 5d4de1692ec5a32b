import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const queryMethods = ["where", "orderBy", "collectionGroup"];

export default defineConfig(
  globalIgnores(["**/node_modules", "functions/lib", "client/lib", "web/dist", "coverage", ".firerank"]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    // Not compiled, so nothing else would notice a misspelt name.
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        setInterval: "readonly",
        clearInterval: "readonly",
      },
    },
    rules: { "no-undef": "error", "no-unused-vars": "error", eqeqeq: "error", "prefer-const": "error" },
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: [
          "tsconfig.json",
          "functions/tsconfig.json",
          "client/tsconfig.json",
          "web/tsconfig.json",
          "bench/tsconfig.json",
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // A longer file says why, in its first line.
      "max-lines": ["error", 400],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // An async function without await still turns what it throws into a rejection, as its callers expect.
      "@typescript-eslint/require-await": "off",
      // Numbers read as well in a text as they do alone.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // noPropertyAccessFromIndexSignature asks for the brackets that this rule would take away.
      "@typescript-eslint/dot-notation": "off",
      // `||` for environment variables is meant: an empty one counts as not set.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      // `() => setOpen(true)` is one line in place of three.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // The way to leave a field out of an object: `const { field: _, ...rest } = object`.
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", ignoreRestSiblings: true }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "prefer-const": "error",
    },
  },
  {
    // It asserts how its constants relate, which is true by the compiler's lights until someone changes one.
    files: ["functions/src/model/limits.ts"],
    rules: { "@typescript-eslint/no-unnecessary-condition": "off" },
  },
  {
    // It runs in browsers and in React Native, which have in common what the language has, and little more.
    files: ["client/src/**/*.ts"],
    ignores: ["client/src/**/*.test.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...[
          "process",
          "Buffer",
          "global",
          "window",
          "document",
          "navigator",
          "localStorage",
          "crypto",
          "fetch",
        ],
      ],
      "no-restricted-imports": [
        "error",
        { patterns: ["node:*", "firebase-admin*", "@google-cloud/*", "zod"] },
      ],
    },
  },
  {
    // Where there is no browser, they are skipped, not failed.
    files: ["test/**/browser/*.test.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "vitest", importNames: ["test", "it"], message: "a test in a browser is chromium.ts's" },
          ],
        },
      ],
    },
  },
  {
    // Whoever needs more says why beside the function.
    files: ["functions/src/**/*.ts"],
    ignores: ["functions/src/**/*.test.ts"],
    rules: {
      "max-params": ["error", 5],
      "max-lines-per-function": ["error", { max: 50, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    // Whoever is hidden is nobody to a reading call: views get players from reading/listed.ts, which has asked.
    files: [
      "functions/src/reading/**/*.ts",
      "functions/src/standings/final-*.ts",
      "functions/src/operations/get-*.ts",
      "functions/src/operations/list-*.ts",
      "functions/src/operations/shared/season-asked.ts",
    ],
    ignores: ["functions/src/reading/listed.ts", "functions/src/**/*.test.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["**/documents/paths.ts"],
              importNames: ["playerPath", "playersPath"],
              message: "players are read by reading/listed.ts, which asks whether they are listed",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["functions/src/**/*.ts"],
    ignores: ["functions/src/documents/{queries,private-group-queries}.ts", "functions/src/**/*.test.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...queryMethods.map((method) => ({
          selector: `CallExpression[callee.property.name="${method}"]`,
          message: "queries live in documents/queries.ts, where a test checks that each has its index",
        })),
      ],
    },
  },
);
