/**
 * Looks for names of functions/src that two files declare: of types, and of functions and classes where one file exports
 * its own. A search for a name then finds one thing. `npm run imports` runs it.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./project.ts";

interface Declared {
  name: string;
  file: string;
  kind: "type" | "function";
  isExported: boolean;
}

/** The types, functions and classes at the top level of a file. Pure. */
export function declaredIn(file: string, text: string): Declared[] {
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement): Declared[] => {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    const isFunction = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    if (!(isType || isFunction) || statement.name === undefined) return [];
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
    return [{ name: statement.name.text, file, kind: isType ? "type" : "function", isExported }];
  });
}

/** The names that several files declare, each with the files. Files may have functions of one name that none exports. Pure. */
export function repeatedNames(declared: readonly Declared[]): Map<string, string[]> {
  const byName = [...Map.groupBy(declared, ({ name }) => name)].map(([name, all]) => {
    const isShared = all.some(({ kind, isExported }) => kind === "type" || isExported);
    return [name, isShared ? [...new Set(all.map(({ file }) => file))] : []] as const;
  });
  return new Map(byName.filter(([, files]) => files.length > 1));
}

if (import.meta.main) {
  const files = globSync("functions/src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const repeated = repeatedNames(
    files.flatMap((file) => declaredIn(file, readFileSync(join(root, file), "utf8"))),
  );
  for (const [name, where] of repeated)
    console.error(`${name} is declared in ${where.join(" and ")}: name each by what it is`);
  if (repeated.size === 0) console.log("✔ each name of functions/src has one meaning");
  else process.exitCode = 1;
}
