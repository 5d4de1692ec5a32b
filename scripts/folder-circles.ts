/**
 * Looks for folders of functions/src that import each other, also in a longer circle. A folder and its own subfolder are two
 * folders. `npm run imports` runs it, as dependency-cruiser's own rule takes a folder and its subfolders for one.
 */
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { root } from "./project.ts";

/** An import of one file by another. */
export interface FileImport {
  from: string;
  to: string;
}

/** The circles that imports make of folders: each as the imports that lead from one of its folders to another. Pure. */
export function circlesOf(imports: readonly FileImport[]): FileImport[][] {
  const between = imports.filter(({ from, to }) => dirname(from) !== dirname(to));
  const next = new Map<string, Set<string>>();
  for (const { from, to } of between)
    next.set(dirname(from), (next.get(dirname(from)) ?? new Set()).add(dirname(to)));
  const reached = new Map([...next.keys()].map((folder) => [folder, reachedFrom(folder, next)]));
  const meet = (a: string, b: string) => reached.get(a)?.has(b) === true && reached.get(b)?.has(a) === true;
  const circles = Map.groupBy(
    between.filter(({ from, to }) => meet(dirname(from), dirname(to))),
    ({ from }) => [...(reached.get(dirname(from)) ?? [])].filter((one) => meet(one, dirname(from))).join(),
  );
  return [...circles.values()];
}

/** The folders to which imports lead from a folder, in the order of their names. */
function reachedFrom(folder: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const open = [folder];
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const other of next.get(one) ?? [])
      if (!reached.has(other)) {
        reached.add(other);
        open.push(other);
      }
  return new Set([...reached].sort());
}

/** The imports between files of a folder, types included, without those of tests. */
async function importsIn(folder: string): Promise<FileImport[]> {
  const options = await extractDepcruiseOptions(join(root, ".dependency-cruiser.js"));
  const { output } = await cruise([folder], { ...options, exclude: { path: "\\.test\\.ts$" } });
  return (output as ICruiseResult).modules.flatMap(({ source, dependencies }) => {
    const own = dependencies.filter(({ resolved }) => resolved.startsWith(`${folder}/`));
    return source.startsWith(`${folder}/`) ? own.map(({ resolved }) => ({ from: source, to: resolved })) : [];
  });
}

if (import.meta.main) {
  const circles = circlesOf(await importsIn("functions/src"));
  for (const circle of circles) {
    console.error("\nThese imports make a circle of folders: what both sides need belongs below both.\n");
    for (const { from, to } of circle) console.error(`  ${from} → ${to}`);
  }
  if (circles.length === 0) console.log("✔ no circle of folders");
  else process.exitCode = 1;
}
