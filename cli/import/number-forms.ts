/**
 * What the forms of all ids and scores of a file show, and that of one would not: that a program has rounded them, or that
 * points separate thousands. Pure but for its counts.
 */
import type { Definition } from "../../functions/src/model/definition.ts";
import { count } from "../progress.ts";

/** How unlikely a form has to be for chance to be no reason: one in a million, as a power of 2. */
const bitsEnough = 20;
/** Ids by whose form that is judged; the others only have to be of it too. */
const idsCounted = 1_000;

export function createNumberForms({ decimals = 0 }: Definition) {
  const ids = createLongIds();
  const exponents = createExponents();
  const points = createPoints();
  return {
    seeId: (id: string) => ids.see(id),
    /** Looks at a score as a file has it; only a text shows its form. */
    seeScore(score: unknown) {
      if (typeof score !== "string") return;
      exponents.see(score);
      // Else three digits behind a point are what the board is for.
      if (decimals < 3) points.see(score);
    },
    remarks: () => [ids, exponents, points].flatMap((one) => one.remark() ?? []),
  };
}

/**
 * Whole numbers of more than 15 digits. A spreadsheet keeps 15, and JavaScript the digits that tell its 53 bits from others:
 * of the 17 digits of a Steam id every 16th number is of such a form, so that five show it.
 */
function createLongIds() {
  /** The first of them: one id that comes often shows no more than once. */
  const seen = new Set<string>();
  const rounded = [
    { isAll: true, bits: 0, has: cutTo15, bitsOf: (id: string) => (id.length - 15) * Math.log2(10) },
    {
      ...{ isAll: true, bits: 0, has: (id: string) => String(Number(id)) === id },
      bitsOf: (id: string) => Math.max(0, Math.floor(Math.log2(Number(id))) - 52),
    },
  ];
  return {
    see(id: string) {
      if (!/^[1-9]\d{15,19}$/.test(id) || seen.has(id)) return;
      if (seen.size < idsCounted) seen.add(id);
      for (const way of rounded) {
        way.isAll &&= way.has(id);
        if (seen.size < idsCounted) way.bits += way.bitsOf(id);
      }
    },
    remark() {
      if (!rounded.some(({ isAll, bits }) => isAll && bits >= bitsEnough)) return undefined;
      return (
        `All ids of more than 15 digits, such as ${[...seen][0]}, look rounded, as by a spreadsheet, by pandas or R, or ` +
        "by JavaScript from a number in JSON. Compare some with your players' ids; if they differ, export the ids again as text."
      );
    },
  };
}

function cutTo15(id: string): boolean {
  return /^0+$/.test(id.slice(15));
}

/** Scores such as `1.23457E+12`: spreadsheets and `%g` write 6 digits of them, Calc and R 15. */
function createExponents() {
  /** Texts by their number of digits, and the first of each. */
  const cut = new Map<number, { lines: number; first: string }>();
  let most = 0;
  return {
    see(score: string) {
      const [, point = "", exponent] = /^[+-]?\d(?:\.(\d+))?e\+?(\d+)$/i.exec(score) ?? [];
      if (exponent === undefined) return;
      const digits = 1 + point.length;
      most = Math.max(most, digits);
      if (Number(exponent) < digits) return;
      const { lines, first } = cut.get(digits) ?? { lines: 0, first: score };
      cut.set(digits, { lines: lines + 1, first });
    },
    remark() {
      const found = [6, 15].includes(most) ? cut.get(most) : undefined;
      if (found === undefined) return undefined;
      return (
        `${count(found.lines, "line")} with a score such as ${found.first}: its last digits may be lost, as a spreadsheet and ` +
        "some programs write so few. Export the scores with all digits."
      );
    },
  };
}

/** Scores such as `61.257`, which are 61,257 where points separate thousands. Then 999 has none, and 1234567 has two. */
function createPoints() {
  let [isPossible, one, none, two] = [true, 0, 0, 0];
  let first = "";
  return {
    see(score: string) {
      if (/^-?[1-9]\d{0,2}\.\d{3}$/.test(score)) {
        one += 1;
        first ||= score;
      } else if (/^-?\d{1,3}$/.test(score)) none += 1;
      else if (/^-?[1-9]\d{0,2}(\.\d{3}){2,}$/.test(score)) two += 1;
      else isPossible = false;
    },
    remark() {
      if (!isPossible || one === 0 || (two === 0 && (one === 1 || none === 0))) return undefined;
      return (
        `All scores with a point, such as ${first}, have three digits behind each, and all others are below 1,000. If points ` +
        "separate thousands here, export the file without them: as it is, these scores are a thousand times too small."
      );
    },
  };
}
