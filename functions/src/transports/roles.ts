/**
 * `import "firerank/roles"` beside `export * from "firerank"`: the codebase's functions run with an account of their
 * own that has the roles that Firerank needs, whatever the project's default account may do.
 *
 * The account is for every function of the codebase, and functions of your own may need more roles. So you must ask for
 * it.
 */
import { declareNeeds } from "./needs.ts";

declareNeeds();
