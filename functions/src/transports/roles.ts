/**
 * `import "firerank/roles"` beside `export * from "firerank"`: the codebase's functions run with an account of their own
 * that has the roles they need, whatever the project's default account may do.
 *
 * It holds for every function of the codebase, and functions of your own may need more. So it is not on by itself.
 */
import { declareNeeds } from "./needs.ts";

declareNeeds();
