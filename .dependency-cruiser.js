/**
 * Which way imports may go, types included: no circle anywhere, and in functions/src only downwards. Each room has
 * one question (ARCHITECTURE.md, "The layout"); what it needs from the rooms above is an interface in its own or below.
 */

/** The rooms of functions/src, the lowest first. */
const rooms = [
  "model",
  "documents",
  "world",
  "seasons",
  "top",
  "counting",
  "league",
  "groups",
  "submit",
  "ranking",
  "reading",
  "standings",
  "jobs",
  "operations",
  "transports",
];

const tests = "\\.test\\.tsx?$|/testing/";

/** A room imports from itself and from those below; its tests may look farther. */
const downwards = rooms.slice(0, -1).map((room, index) => ({
  name: `nothing-above-${room}`,
  comment: `functions/src/${room} may import only from itself and ${rooms.slice(0, index).join(", ") || "no other room"}`,
  severity: "error",
  from: { path: `^functions/src/${room}/`, pathNot: tests },
  to: { path: `^functions/src/(${rooms.slice(index + 1).join("|")}|index\\.ts)` },
}));

/** What a browser may have of functions/src, beside the types of operations. */
const pure =
  "^functions/src/(model/|documents/|league/outcomes\\.ts|reading/(group-answer|private-group-answer|histogram|lookup|page-memory|rank|teams-answer|top-answer)\\.ts|seasons/(current|open-now)\\.ts|standings/(lookup|pack|summary|table)\\.ts)";

/** A package of npm, and who may import it. */
const only = (name, path, where) => ({
  name: `${name}-in-its-place`,
  severity: "error",
  from: { path: "^functions/src/", pathNot: `${tests}|${where}` },
  to: { path },
});

export default {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "found",
      comment: "each import leads to a file; the example has the package where it is copied to",
      severity: "error",
      from: { pathNot: "^examples/deleted-users/" },
      to: { couldNotResolve: true },
    },
    {
      name: "known-rooms",
      comment: "a new room of functions/src gets its place in the list of rooms",
      severity: "error",
      from: {},
      to: { path: "^functions/src/", pathNot: `^functions/src/(${rooms.join("|")})/|/index\\.ts$` },
    },
    ...downwards,
    {
      name: "functions-alone",
      comment: "what is deployed imports nothing of the rest of the repository",
      severity: "error",
      from: { path: "^functions/src/", pathNot: tests },
      to: { path: "^(bench|cli|client|demo|examples|scripts|simulate|test|web)/" },
    },
    {
      name: "no-tests",
      comment: "what is deployed, installed or run imports no tests and nothing that is there for tests",
      severity: "error",
      from: { path: "^(functions|client|web)/src/|^cli/", pathNot: tests },
      to: { path: `${tests}|^test/` },
    },
    {
      name: "browsers-border",
      comment:
        "web/ and client/ import model, documents, what is pure in reading, seasons and standings, and types of operations",
      severity: "error",
      from: { path: "^(web|client)/src/", pathNot: tests },
      to: { path: "^functions/src/", pathNot: `${pure}|^functions/src/operations/` },
    },
    {
      name: "browsers-types-of-operations",
      comment: "web/ and client/ know what operations ask for and answer, and do not run them",
      severity: "error",
      from: { path: "^(web|client)/src/", pathNot: tests },
      to: { path: "^functions/src/operations/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "browsers-apart",
      severity: "error",
      from: { path: "^(web|client)/", pathNot: tests },
      to: { path: "^(bench|cli|demo|examples|scripts|simulate)/", pathNot: "^cli/prices\\.ts$" },
    },
    {
      name: "cli-border",
      comment: "the command line works on the database as functions do, and calls none that is deployed",
      severity: "error",
      from: { path: "^cli/" },
      to: { path: "^functions/src/transports/|^(bench|client|demo|examples|simulate|web)/" },
    },
    only("firestore", "node_modules/@google-cloud/firestore", "^functions/src/documents/firestore\\.ts$"),
    only("firebase", "node_modules/firebase-(functions|admin)", "^functions/src/transports/"),
    only("temporal", "node_modules/temporal-", "^functions/src/model/calendar\\.ts$"),
    only("hono", "node_modules/(@?hono|zod-openapi)", "^functions/src/transports/rest/"),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(functions|client)/lib/|^web/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      conditionNames: ["import", "types", "node", "default"],
      exportsFields: ["exports"],
    },
    progress: { type: "none" },
  },
};
