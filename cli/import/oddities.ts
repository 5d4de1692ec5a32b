/**
 * What in a file a person should know, although it can be imported: what other programs have made of ids, scores and
 * missing values, and scores that the board's limits or decimals would not leave as they are. Pure but for its counts.
 */
import type { Definition } from "../../functions/src/model/definition.ts";
import { isNumberOfId } from "../../functions/src/model/spreadsheet-text.ts";
import { limitBroken } from "../../functions/src/submit/apply.ts";
import { count } from "../progress.ts";
import type { PlayerRecord } from "../records/player-record.ts";
import { numberSaid } from "../records/said-in-text.ts";
import { createNumberForms } from "./number-forms.ts";

/** Lines of a kind that are named. */
const linesNamed = 100;

/** How programs write a missing value: R, pandas, Python, databases, JavaScript, spreadsheets. */
const missing = new Set([
  "NA",
  "<NA>",
  "N/A",
  "#N/A",
  "NaN",
  "nan",
  "NaT",
  "None",
  "NULL",
  "null",
  "\\N",
  "undefined",
]);

/** The seconds of times that are none: of Go and C#, and of 0 since 1970. */
const noTimes = new Map([
  [-62_135_596_800, "0001-01-01T00:00:00Z"],
  [0, "1970-01-01T00:00:00Z"],
]);

type Kind = "rounded" | "beyond" | "between" | "missing";

/** How many lines of each kind there are, the first of some, and what shows in the whole file only. */
export interface Oddities extends Record<Kind, number> {
  firstBeyond?: string;
  firstBetween?: string;
  ofFile: string[];
}

/** Looks at a file's lines one by one, with memory for a few of them. */
export function createOddities(definition: Definition) {
  const found: Oddities = { rounded: 0, beyond: 0, between: 0, missing: 0, ofFile: [] };
  const forms = createNumberForms(definition);
  const names = new Map<string, number>();
  const times = new Map<string, number>();
  return {
    /** Looks at a line, as it is in the file. */
    seeValue(value: unknown) {
      if (typeof value === "object" && value !== null && "score" in value) forms.seeScore(value.score);
    },
    /** Looks at the record of a good line. @returns what to say of it at once */
    see(place: string, value: unknown, record: PlayerRecord): string[] {
      const { player, display_name: name = "", achieved_at: at } = record;
      forms.seeId(player);
      if (missing.has(name)) names.set(name, (names.get(name) ?? 0) + 1);
      const noTime = at?.nanoseconds === 0 ? noTimes.get(at.seconds) : undefined;
      if (noTime !== undefined) times.set(noTime, (times.get(noTime) ?? 0) + 1);
      const lines = oddIn(definition, value, record).map(({ kind, said }) => ({
        kind,
        line: `${place}: ${said}`,
      }));
      for (const { kind, line } of lines) {
        found[kind] += 1;
        if (kind === "beyond") found.firstBeyond ??= line;
        if (kind === "between") found.firstBetween ??= line;
      }
      return lines.flatMap(({ kind, line }) => (found[kind] <= linesNamed ? line : []));
    },
    found(): Oddities {
      const ofNames = [...names].flatMap(([name, lines]) =>
        // Somebody may be called None.
        lines === 1
          ? []
          : `${count(lines, "line")} with the name "${name}", as some programs write what is missing: leave the cell empty for ` +
            "no name.",
      );
      const ofTimes = [...times].map(
        ([time, lines]) =>
          `${count(lines, "line")} with the time ${time}, as some programs write what is missing: these players come before ` +
          "others of the same score. Leave the cell empty for no time.",
      );
      return { ...found, ofFile: [...forms.remarks(), ...ofNames, ...ofTimes] };
    },
  };
}

function oddIn(definition: Definition, value: unknown, { player, score }: PlayerRecord) {
  const odd: { kind: Kind; said: string }[] = [];
  if (isNumberOfId(player))
    odd.push({
      kind: "rounded",
      said: `the player "${player}" looks like a number that a program has made of an id`,
    });
  if (missing.has(player))
    odd.push({ kind: "missing", said: `the player "${player}" looks like a missing value` });
  if (score === undefined || definition.columns !== undefined) return odd;
  const said = numberSaid((value as { score?: unknown }).score);
  if (typeof said === "number" && said !== score)
    odd.push({ kind: "between", said: `score: ${said} becomes ${score}, a step of the board` });
  const broken = limitBroken(definition, score);
  if (broken !== undefined) odd.push({ kind: "beyond", said: `score: ${broken}` });
  return odd;
}

/** What was found, in sentences that each have a line; empty if there is nothing. Pure. */
export function remarks({
  replaced,
  rounded,
  beyond,
  between,
  missing: absent,
  firstBeyond = "",
  firstBetween = "",
  ofFile,
}: Oddities & { replaced: number }): string {
  const said = [
    replaced > 0 &&
      `${count(replaced, "line")} ${replaced === 1 ? "was" : "were"} replaced by a later line of the same player.`,
    rounded > 0 &&
      `${count(rounded, "line")} with a player such as 7.65612E+16 or 123.0: a program has taken ids for numbers and rounded ` +
        "long ones, and several players may have become one. Export the ids again as text, and import that file.",
    absent > 0 &&
      `${count(absent, "line")} with a player such as NULL or NA, as some programs write what is missing: all of these are ` +
        "one player.",
    beyond > 0 &&
      `${count(beyond, "line")} with a score beyond the board's limits; the first is ${firstBeyond}. An import takes such ` +
        "scores, as only submissions are limited: a player may have had one before. Look whether these are meant.",
    between > 0 &&
      `${count(between, "line")} with a score of more decimals than the board has, which is rounded; the first is ` +
        `${firstBetween}. To keep all digits, import into a board with more decimals.`,
    ...ofFile,
  ];
  return said.flatMap((one) => (one === false ? [] : `\n${one}`)).join("");
}
