/** Ids of all kinds that players may have, as fast-check draws them. */
import fc from "fast-check";
import { playerId } from "../../functions/src/model/ids.ts";

export const anyId = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 6 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
    fc.string({
      unit: fc.constantFrom("a", "b", "/", ".", "_", "0", " ", "~", "\ue000", "😀"),
      minLength: 1,
      maxLength: 5,
    }),
  )
  .filter((id) => playerId.safeParse(id).success);
