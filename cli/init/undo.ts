/**
 * What takes the changes of `init` out of a project's files again, to the byte: for each file the patch back, which init
 * keeps in its folder. A patch applies too where something else in the file has changed since. Pure.
 */
import { applyPatch, createTwoFilesPatch, formatPatch, parsePatch, type StructuredPatch } from "diff";

/** The file in Firerank's folder. */
export const undoFile = "before-init.patch";

interface Changed {
  path: string;
  before: string | undefined;
  after: string;
}

/** As a patch names a file that was not there. */
const nowhere = "/dev/null";

/** The patches back to what was there before the first init. @param known those of an init before this one */
export function patchesBack(changes: readonly Changed[], known: string | undefined): string {
  const patches = patchesIn(known);
  for (const { path, before, after } of changes) {
    const first = patches.has(path) && before !== undefined ? undone(known, path, before) : { text: before };
    // Of a file that was changed at the same place since, what was there first is not known any more.
    if (first === undefined) patches.delete(path);
    else {
      const to = first.text === undefined ? nowhere : path;
      const [patch] = parsePatch(createTwoFilesPatch(path, to, after, first.text ?? ""));
      if (patch !== undefined) patches.set(path, patch);
    }
  }
  return [...patches.values()].map((patch) => formatPatch(patch)).join("\n");
}

/** A file as it was before init, with what else has changed since; without a text if it was not there. Undefined where that is not known. */
export function undone(
  patches: string | undefined,
  path: string,
  text: string,
): { text: string | undefined } | undefined {
  const patch = patchesIn(patches).get(path);
  if (patch === undefined) return undefined;
  const before = applyPatch(text, patch, { autoConvertLineEndings: false });
  if (before === false) return undefined;
  return { text: patch.newFileName === nowhere && before === "" ? undefined : before };
}

/** The files that there are patches for. */
export const filesIn = (patches: string | undefined): string[] => [...patchesIn(patches).keys()];

function patchesIn(text: string | undefined): Map<string, StructuredPatch> {
  const all = parsePatch(text ?? "").filter(({ oldFileName }) => oldFileName !== undefined);
  return new Map(all.map((patch) => [patch.oldFileName ?? "", patch]));
}
