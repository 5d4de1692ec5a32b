/**
 * `npm run test:mutants`: StrykerJS changes the pure modules in small ways, one at a time, and runs their tests, which
 * should notice. The report lists the changes that no test noticed; some of them no test can.
 * `npm run test:mutants -- -m functions/src/ranking/fold.ts` tries one module.
 */

/**
 * Leaves out texts for people: in errors, logs and schemas. Tests do not check them word for word. A text is a string
 * with a space in it; codes, names and fields have none.
 */
const texts = {
  shouldIgnore({ node }) {
    const parts =
      node.type === "StringLiteral"
        ? [node.value]
        : node.type === "TemplateLiteral"
          ? node.quasis.map(({ value }) => value.raw)
          : [];
    return parts.some((part) => part.includes(" ")) ? "a text that people read" : undefined;
  },
};

export const strykerPlugins = [{ kind: "Ignore", name: "texts", value: texts }];

/** The pure modules, by room. */
const modules = [
  "counting/{changes,changed-player,own-shards}",
  "documents/{page,page-bounds,player,mark,ranked-score,season,shard,top,paths}",
  "jobs/alerts",
  "jobs/repair/{id-ranges,check-pages}",
  "model/{arithmetic,calendar,columns,decimal,defined,definition,display-name,document-id,document-size,errors,id-order,ids,instant,keys,season-id}",
  "model/{function-name,node-version,role,schema-version,score,search,slot,spreadsheet-text,stored-time}",
  "ranking/{fold,merge,rows,split,check-sum,pack-pages,publication,shards,slots,teams,totals}",
  "reading/{lookup,rank,page-memory,teams-answer,top-answer,cursor,entries}",
  "seasons/{open-now,span-season}",
  "standings/{lookup,pack}",
  "submit/{apply,merge,schema}",
  "top/{build-top,gate,pace,tell-top}",
  "transports/deployed-name",
  "world/retryable",
];

export default {
  mutate: modules.map((module) => `functions/src/${module}.ts`),
  plugins: ["@stryker-mutator/vitest-runner", import.meta.url],
  ignorers: ["texts"],
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutants.config.ts", pool: "threads" },
  coverageAnalysis: "perTest",
  // Schemas and constants, made when a module is loaded.
  ignoreStatic: true,
  // What loops for ever in instrumented code is found at once, by its steps.
  timeoutMS: 30_000,
  reporters: ["progress-append-only", "clear-text", "json"],
  clearTextReporter: { allowColor: true, reportTests: false, reportScoreTable: true, skipFull: true },
  jsonReporter: { fileName: ".firerank/mutants/report.json" },
  tempDirName: ".firerank/mutants/sandbox",
  ignorePatterns: ["/*", "!/functions", "!/simulate", "!/test", "!/*.{json,ts}"],
};
