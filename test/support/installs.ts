/**
 * Firerank installed in other ways beside the suite's own, each with a database of its own: as a codebase with a prefix,
 * and as a function kit. `npm test` adds them (scripts/installs.ts) if a file that imports this one is among the tests.
 */
export { installs } from "../../scripts/installs.ts";
