import { expect, test } from "vitest";
import type { Role } from "../../model/role.ts";
import { type Caller, requireRole } from "./access.ts";

test.each<[Partial<Caller>, Role, unknown, string]>([
  [{}, "moderator", "cup", "moderator"],
  [{ role: "moderator" }, "admin", "cup", "admin"],
  [{ role: "moderator", boards: ["arena"] }, "moderator", "cup", "moderator --boards arena,cup"],
  [{ role: "submitter", boards: ["cup"] }, "moderator", "cup", "moderator --boards cup"],
  // A grant replaces the one before: it names the role that may do both.
  [{ role: "admin", boards: ["arena"] }, "moderator", "cup", "admin --boards arena,cup"],
  [{ role: "admin", boards: ["arena"] }, "admin", "level:7", "admin --boards arena,level"],
  // What is no id is nothing for a shell.
  [{ role: "admin", boards: ["arena", "$(x)"] }, "admin", "; x", "admin --boards arena"],
  [{ role: "moderator", boards: [] }, "moderator", ["cup"], "moderator --boards <board>"],
  // Without a board the role is needed for all.
  [{ role: "admin", boards: ["arena"] }, "admin", undefined, "admin"],
])("a refusal of %j, who needs %s on %j, widens the role no further: %s", (own, role, board, granted) => {
  const ask = () => requireRole({ uid: "ann", ...own }, role, "it", board);
  expect(ask).toThrow(` npx --no-install firerank grant ann ${granted}. `);
});
