/**
 * A file `.env`, read as the Firebase CLI reads it (`lib/functions/env.js` of firebase-tools; a test compares the two).
 * Node's own parser passes over a line that it can't read; the CLI loads nothing of a file with such a line. Pure.
 */

/** A line that sets a name. Of two with the same name the last one counts. */
export interface EnvLine {
  name: string;
  value: string;
  /** Its 1-based number. */
  line: number;
}

/** A line that the CLI does not take, with the name that it seems to be about. */
export type UnreadLine = Partial<EnvLine> & Pick<EnvLine, "line">;

/** A name and its value, up to the end of a line; a value in quotes may have several lines. */
const setting =
  /^\s*(?:export)?\s*([\w./]+)\s*=[\f\t\v]*(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|[^#\r\n]*)?\s*(?:#[^\n]*)?$/gms;

/** What the CLI takes as a name, but for a few that Google Cloud keeps for itself. */
const nameTaken = /^[A-Z_][A-Z0-9_]*$/;

const escapes: Partial<Record<string, string>> = { n: "\n", r: "\r", t: "\t", v: "\v" };

export function readEnv(file: string): { set: EnvLine[]; unread: UnreadLine[] } {
  const text = file.replace(/\r\n?/, "\n");
  const all = [...text.matchAll(setting)].map((match) => {
    const [whole, name = "", said = ""] = match;
    const begin = match.index + whole.search(/\S/);
    return { name, value: withoutQuotes(said.trim()), line: linesIn(text.slice(0, begin)).length };
  });
  const rest = linesIn(text.replace(setting, (match) => match.replace(/[^\r\n]/g, "")));
  const others = rest.flatMap((line, i) => {
    const said = line.trim();
    if (said === "" || said.startsWith("#")) return [];
    const name = /^(?:export\s|-)?\s*([\w-]+)/.exec(said)?.[1];
    return [{ line: i + 1, ...(name !== undefined && { name }) }];
  });
  const misnamed = all.filter(({ name }) => !nameTaken.test(name));
  return {
    set: all.filter(({ name }) => nameTaken.test(name)),
    unread: [...others, ...misnamed].toSorted((a, b) => a.line - b.line),
  };
}

const linesIn = (text: string) => text.split(/\r\n?|\n/);

function withoutQuotes(value: string): string {
  const [, quote, inside] = /^(["'])(.*)\1$/s.exec(value) ?? [];
  if (inside === undefined) return value;
  if (quote === "'") return inside;
  return inside.replace(/\\([nrtv\\'"])/g, (_, one: string) => escapes[one] ?? one);
}
