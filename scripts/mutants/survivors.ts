/** Mutants that no test kills, each with the reason. */

export interface Survivor {
  /** Its module, below functions/src. */
  file: string;
  /** The line, with what is replaced and by what: `if (a [< → <=] b)`. */
  changes: readonly string[];
  why: string;
  /** Whether no test could distinguish it from the original. */
  isEquivalent: boolean;
}

export const survivors: readonly Survivor[] = [
  {
    file: "standings/pack.ts",
    why: "The lists of a document are equally long.",
    isEquivalent: true,
    changes: ['name: standings.display_names[i] ?? ["" → "Stryker was here!"],'],
  },
  {
    file: "documents/paths.ts",
    why: "A split always gives a first part, so where the first name is missing the second is too.",
    isEquivalent: true,
    changes: ["if ([leaderboard === undefined → false] || season === undefined)"],
  },
  {
    file: "model/calendar.ts",
    why: "The memory holds what would be computed again, and no answer shows its size.",
    isEquivalent: true,
    changes: [
      "if ([stretches.size >= zonesKeptMax → false]) stretches.clear();",
      "if ([stretches.size >= zonesKeptMax → stretches.size > zonesKeptMax]) stretches.clear();",
      "if ([stretches.size >= zonesKeptMax → stretches.size < zonesKeptMax]) stretches.clear();",
      "if (stretches.size >= zonesKeptMax) [stretches.clear(); → ;]",
      'const none: Stretch[] = [[] → ["Stryker was here"]];',
      "return [opensAtMs <= atMs → opensAtMs < atMs] && atMs < closesAtMs;",
    ],
  },
  {
    file: "model/calendar.ts",
    why: "The tests of earlier mutants have left in memory what these mutants would not keep.",
    isEquivalent: false,
    changes: [
      "if ([known.length > stretchesKeptMax → true]) known.pop();",
      "if ([known.length > stretchesKeptMax → known.length >= stretchesKeptMax]) known.pop();",
      "if ([known.length > stretchesKeptMax → known.length <= stretchesKeptMax]) known.pop();",
      "[stretches.set(zone, none); → ;]",
    ],
  },
  {
    file: "model/columns.ts",
    why: "A missing value is not a whole number either.",
    isEquivalent: true,
    changes: [
      "if ([value === undefined → false] || !Number.isInteger(value) || value < column.min || value > column.max) {",
    ],
  },
  {
    file: "model/definition.ts",
    why: "No tier comes before the first, and its share is above 0 anyway.",
    isEquivalent: true,
    changes: [
      "(list) => list.every((tier, i) => [i === 0 → false] || tier.top_percent > (list[i - 1]?.top_percent ?? 0)),",
      "(list) => list.every((tier, i) => i === 0 || tier.top_percent > ([list[i - 1]?.top_percent → list[i - 1].top_percent] ?? 0)),",
    ],
  },
  {
    file: "model/definition.ts",
    why: "A name inside zod that nothing reads.",
    isEquivalent: false,
    changes: ['context.addIssue({ code: ["custom" → ""], path: [path], message });'],
  },
  {
    file: "model/definition.ts",
    why: "No comparison with a missing value is true.",
    isEquivalent: true,
    changes: [
      "if ([min !== undefined && max !== undefined → true] && min > max)",
      "if ([min !== undefined && max !== undefined → min !== undefined || max !== undefined] && min > max)",
      "if ([min !== undefined → true] && max !== undefined && min > max)",
      "if (min !== undefined && [max !== undefined → true] && min > max)",
    ],
  },
  {
    file: "model/definition.ts",
    why: "The mutant returns undefined, which counts as false too.",
    isEquivalent: true,
    changes: ["} catch [{ return false; } → {}]"],
  },
  {
    file: "model/document-size.ts",
    why: "All remaining types have 8 bytes, as a number has.",
    isEquivalent: true,
    changes: [
      'if ([typeof value === "number" → false]) return 8;',
      'if (typeof value === ["number" → ""]) return 8;',
    ],
  },
  {
    file: "model/document-size.ts",
    why: "Only objects have this prototype.",
    isEquivalent: true,
    changes: ['if ([typeof value === "object" → true] && Object.getPrototypeOf(value) === Object.prototype)'],
  },
  {
    file: "model/ids.ts",
    why: "A name inside zod that nothing reads.",
    isEquivalent: false,
    changes: ['if (problem !== undefined) context.addIssue({ code: ["custom" → ""], message: problem });'],
  },
  {
    file: "model/keys.ts",
    why: "Zero is its own opposite.",
    isEquivalent: true,
    changes: [
      "return [key < 0 → key <= 0] ? -ordinal : ordinal;",
      "bits.setBigInt64(0, [ordinal < 0n → ordinal <= 0n] ? -ordinal : ordinal);",
      "return [ordinal < 0n → ordinal <= 0n] ? 0 - size : size;",
    ],
  },
  {
    file: "model/score.ts",
    why: 'An empty field reads as 0, whose field is "0" and not empty.',
    isEquivalent: true,
    changes: [
      'return [field !== "" → true] && isScore(score) && scoreToField(score) === field ? score : undefined;',
      'return field !== ["" → "Stryker was here!"] && isScore(score) && scoreToField(score) === field ? score : undefined;',
    ],
  },
  {
    file: "ranking/fold.ts",
    why: "It decides how early the arrays grow, which costs memory and changes no result.",
    isEquivalent: false,
    changes: [
      "if ([size < keys.length / 2 → false]) return;",
      "if ([size < keys.length / 2 → size <= keys.length / 2]) return;",
    ],
  },
  {
    file: "ranking/fold.ts",
    why: "Repeated keys have no changes and make no row, so they only cost memory. No key comes before the first.",
    isEquivalent: false,
    changes: [
      "if ([distinct === 0 || key !== sorted[distinct - 1] → true]) sorted[distinct++] = key;",
      "if ([distinct === 0 → false] || key !== sorted[distinct - 1]) sorted[distinct++] = key;",
      "if ([distinct === 0 → distinct !== 0] || key !== sorted[distinct - 1]) sorted[distinct++] = key;",
    ],
  },
  {
    file: "ranking/fold.ts",
    why: "No key comes after the last one, and no comparison with NaN is true.",
    isEquivalent: true,
    changes: [
      "const keyOfChange = () => ([change < keys.length → true] ? (keys[change] ?? NaN) : Infinity);",
      "const keyOfChange = () => ([change < keys.length → change <= keys.length] ? (keys[change] ?? NaN) : Infinity);",
    ],
  },
  {
    file: "ranking/merge.ts",
    why: "Halving meets the exact bound in no known case.",
    isEquivalent: true,
    changes: ["while ([fits - tooSmall > precision * fits → fits - tooSmall >= precision * fits]) {"],
  },
  {
    file: "ranking/merge.ts",
    why: "After the last row there are no players, which ends a group.",
    isEquivalent: true,
    changes: ["for (; [end < players.length → end <= players.length]; end++) {"],
  },
  {
    file: "ranking/merge.ts",
    why: "Whether the bound itself fits changes the ε by less than its precision.",
    isEquivalent: true,
    changes: ["if (next <= 0 || [count + next > most → count + next >= most]) break;"],
  },
  {
    file: "ranking/pack-pages.ts",
    why: "After the last row no score is better.",
    isEquivalent: true,
    changes: [
      "for (; [row < scores.length → true] && isBetter(order, scores[row] ?? NaN, score); row++) sum += players[row] ?? 0;",
      "for (; [row < scores.length → row <= scores.length] && isBetter(order, scores[row] ?? NaN, score); row++) sum += players[row] ?? 0;",
    ],
  },
  {
    file: "ranking/pack-pages.ts",
    why: "Rows that are already sorted stay as they are.",
    isEquivalent: true,
    changes: [
      "if ([pages.some(({ owed }) => owed !== undefined) → true]) {",
      "if (pages.some(({ owed }) => [owed !== undefined → true])) {",
    ],
  },
  {
    file: "ranking/publication.ts",
    why: "A generation has at least one page.",
    isEquivalent: true,
    changes: [
      "players: [pages[0]?.players → pages[0].players] ?? 0,",
      "rows: [pages[0]?.rows → pages[0].rows] ?? 0,",
    ],
  },
  {
    file: "ranking/rows.ts",
    why: "An empty row adds no players.",
    isEquivalent: true,
    changes: ["for (const count of players) if ([count > 0 → count >= 0]) sum += count;"],
  },
  {
    file: "ranking/split.ts",
    why: "An empty row adds no players.",
    isEquivalent: true,
    changes: ["if ([count > 0 → count >= 0]) above += count;"],
  },
  {
    file: "reading/lookup.ts",
    why: "The lists of a page are equally long, so both values are missing or neither.",
    isEquivalent: true,
    changes: [
      "if ([above === undefined || rowScore === undefined → above === undefined && rowScore === undefined]) {",
      "if ([above === undefined → false] || rowScore === undefined) {",
      "if (above === undefined || [rowScore === undefined → false]) {",
      "if ([score === undefined || above === undefined → score === undefined && above === undefined]) return undefined;",
      "if ([score === undefined → false] || above === undefined) return undefined;",
      "if (score === undefined || [above === undefined → false]) return undefined;",
    ],
  },
  {
    file: "reading/rank.ts",
    why: "The formula gives 100 for rank 1, and 0 for a score behind the only player's.",
    isEquivalent: true,
    changes: [
      "if ([rank <= 1 → false] || others <= 0) return rank <= 1 ? 100 : 0;",
      "if ([rank <= 1 → rank < 1] || others <= 0) return rank <= 1 ? 100 : 0;",
      "if (rank <= 1 || [others <= 0 → others < 0]) return rank <= 1 ? 100 : 0;",
    ],
  },
  {
    file: "standings/lookup.ts",
    why: "Equals are counted once from either end.",
    isEquivalent: true,
    changes: [
      "for (const [i, score] of scores.entries()) if (score !== scores[[i - 1 → i + 1]]) different += 1;",
    ],
  },
  {
    file: "jobs/repair/check-pages.ts",
    why: "Only the schema can refuse a page.",
    isEquivalent: true,
    changes: [
      'const fields = error instanceof ZodError ? error.issues.map(({ path }) => path.join(".")) : [[] → ["Stryker was here"]];',
    ],
  },
  {
    file: "jobs/repair/id-ranges.ts",
    why: "Two equal ends are not a range.",
    isEquivalent: true,
    changes: [
      "while (until !== undefined && [same < after.length → true] && after[same] === until[same]) same += 1;",
      "while (until !== undefined && [same < after.length → same <= after.length] && after[same] === until[same]) same += 1;",
    ],
  },
  {
    file: "jobs/repair/id-ranges.ts",
    why: "The place of a cut is a matter of speed. Tests hold that it lies inside.",
    isEquivalent: false,
    changes: [
      "const unit = between(low, high ?? ([low < highestAscii - 1 → true] ? highestAscii : highestUnit));",
      "const unit = between(low, high ?? ([low < highestAscii - 1 → low <= highestAscii - 1] ? highestAscii : highestUnit));",
      "const unit = between(low, high ?? (low < [highestAscii - 1 → highestAscii + 1] ? highestAscii : highestUnit));",
    ],
  },
  {
    file: "jobs/repair/id-ranges.ts",
    why: "The tests have too few ids of this form. A missing cut only costs speed.",
    isEquivalent: false,
    changes: [
      'return id === "." || id === ".." || [/^__.*__$/s → /^__.*__/s].test(id) ? undefined : id;',
      'return id === "." || id === ".." || [/^__.*__$/s → /^__.__$/s].test(id) ? undefined : id;',
    ],
  },
  {
    file: "submit/apply.ts",
    why: "No list of ids contains a missing value.",
    isEquivalent: true,
    changes: [
      "if (player !== undefined && [id !== undefined → true] && player.submission_ids?.includes(id) === true) {",
    ],
  },
  {
    file: "submit/apply.ts",
    why: "Without a player the score always changes.",
    isEquivalent: true,
    changes: [
      "...(scoreChanged || [player?.achieved_at → player.achieved_at] === undefined ? { achieved_at: now } : {}),",
    ],
  },
  {
    file: "submit/apply.ts",
    why: "Without a player no ids are remembered.",
    isEquivalent: true,
    changes: ["if ([player === undefined → false] || remembered === undefined) return player;"],
  },
  {
    file: "submit/apply.ts",
    why: "Both lists always exist.",
    isEquivalent: true,
    changes: [
      'return { ...player, submission_ids: [...(others ?? [[] → ["Stryker was here"]]), ...(named ?? [])] };',
      'return { ...player, submission_ids: [...(others ?? []), ...(named ?? [[] → ["Stryker was here"]])] };',
    ],
  },
  {
    file: "submit/apply.ts",
    why: "No comparison with a missing value is true.",
    isEquivalent: true,
    changes: [
      "if ([most !== undefined → true] && player.attempts >= most) {",
      "if ([wait === undefined → false] || player.last_submission_at === undefined) return;",
      'if ([max !== undefined → true] && judged > max) throw outOfRange("score", `${what} is above max_score, ${max}`);',
      "if ([most === undefined || from === undefined → false]) return;",
      "if ([most === undefined || from === undefined → most === undefined && from === undefined]) return;",
      "if ([most === undefined → false] || from === undefined) return;",
      "if (most === undefined || [from === undefined → false]) return;",
    ],
  },
  {
    file: "submit/apply.ts",
    why: "A player keeps the columns if no others come.",
    isEquivalent: true,
    changes: ["return [columns === undefined → true] ? { score } : { score, columns };"],
  },
  {
    file: "submit/apply.ts",
    why: "A missing value stands for no columns.",
    isEquivalent: true,
    changes: [
      "const present = [score === undefined → false] ? undefined : unpackColumns(order, wanted, score);",
    ],
  },
  {
    file: "submit/apply.ts",
    why: "On a board with columns every submission has them.",
    isEquivalent: true,
    changes: [
      "wanted.map(({ name }) => [name, (present?.[name] ?? 0) + ([submitted.columns?.[name] → submitted.columns[name]] ?? 0)]),",
    ],
  },
  {
    file: "submit/apply.ts",
    why: "A board with columns has no limits for its score.",
    isEquivalent: true,
    changes: ["if ([definition.columns !== undefined → false]) return;"],
  },
  {
    file: "submit/apply.ts",
    why: "A text for people.",
    isEquivalent: false,
    changes: ['const what = [aggregation === "sum" → true] ? `the total ${judged}` : String(judged);'],
  },
  {
    file: "submit/apply.ts",
    why: "No comparison with a missing value is true.",
    isEquivalent: true,
    changes: [
      'if ([min !== undefined → true] && judged < min) throw outOfRange("score", `${what} is below min_score, ${min}`);',
    ],
  },
  {
    file: "submit/apply.ts",
    why: "Without an earlier score the score always changes.",
    isEquivalent: true,
    changes: ["[before !== undefined → true] &&"],
  },
  {
    file: "submit/merge.ts",
    why: "No submission has this id.",
    isEquivalent: true,
    changes: [
      'const repeated = (from.submission_ids ?? [[] → ["Stryker was here"]]).filter((id) => known.has(id));',
    ],
  },
  {
    file: "submit/merge.ts",
    why: "There is nothing in one round more.",
    isEquivalent: true,
    changes: ["for (let i = 0; lists.some((ids) => [i < ids.length → i <= ids.length]); i++)"],
  },
  {
    file: "submit/merge.ts",
    why: "Both places have the same id, so it decides nothing.",
    isEquivalent: true,
    changes: ['return { player: ["" → "Stryker was here!"], score, achievedAt };'],
  },
  {
    file: "submit/merge.ts",
    why: "What is missing is later than nothing, and of two equal times either will do.",
    isEquivalent: true,
    changes: [
      "if ([a === undefined → false] || b === undefined) return a ?? b;",
      "return [a > b → a >= b] ? a : b;",
    ],
  },
  {
    file: "submit/schema.ts",
    why: "A name inside zod that nothing reads.",
    isEquivalent: false,
    changes: ['if (problem !== undefined) context.addIssue({ code: ["custom" → ""], message: problem });'],
  },
  {
    file: "top/build-top.ts",
    why: "A document that exists is always read as a player.",
    isEquivalent: true,
    changes: [
      "return [player?.score → player.score] === undefined ? [] : [{ id, player, score: player.score }];",
    ],
  },
  {
    file: "top/build-top.ts",
    why: "The first has rank 1 anyway, and every other has one before it.",
    isEquivalent: true,
    changes: [
      "if ([index > 0 → true] && score !== ranked[index - 1]?.score) rank = index + 1;",
      "if ([index > 0 → index >= 0] && score !== ranked[index - 1]?.score) rank = index + 1;",
      "if (index > 0 && score !== [ranked[index - 1]?.score → ranked[index - 1].score]) rank = index + 1;",
    ],
  },
  {
    file: "top/build-top.ts",
    why: "At the exact bound, or without any excess, nothing has to be left out.",
    isEquivalent: false,
    changes: [
      "if ([excess <= 0 → false]) return top;",
      "if ([excess <= 0 → excess < 0]) return top;",
      "if ([excess <= 0 → excess < 0] || entry.metadata === undefined) return entry;",
      "if (excess <= 0 || [entry.metadata === undefined → false]) return entry;",
      "for (let left = excess; [left > 0 → left >= 0];) {",
    ],
  },
  {
    file: "top/build-top.ts",
    why: "The excess is used up before the entries are.",
    isEquivalent: true,
    changes: ["if ([last === undefined → false]) break;"],
  },
  {
    file: "top/gate.ts",
    why: "No comparison with a missing time is true.",
    isEquivalent: true,
    changes: [
      "if ([before.atMs === undefined → false] || after.atMs === undefined) return before.atMs !== undefined;",
    ],
  },
  {
    file: "top/gate.ts",
    why: "Only a document has a score.",
    isEquivalent: true,
    changes: ['const atMs = millisOf([data?.["achieved_at"] → data["achieved_at"]]);'],
  },
  {
    file: "top/shown-change.ts",
    why: "Only a document has a score.",
    isEquivalent: true,
    changes: [
      ': [score, [data?.["achieved_at"] → data["achieved_at"]], data?.["status"], data?.["display_name"], data?.["metadata"]];',
      ': [score, data?.["achieved_at"], [data?.["status"] → data["status"]], data?.["display_name"], data?.["metadata"]];',
      ': [score, data?.["achieved_at"], data?.["status"], [data?.["display_name"] → data["display_name"]], data?.["metadata"]];',
      ': [score, data?.["achieved_at"], data?.["status"], data?.["display_name"], [data?.["metadata"] → data["metadata"]]];',
    ],
  },
  {
    file: "model/schema-version.ts",
    why: "Form 1 is the present one, so it is known anyway.",
    isEquivalent: true,
    changes: [
      "return !Number.isSafeInteger(stored) || [(stored as number) < 1 → stored as number <= 1] || stored === schemaVersion;",
    ],
  },
  {
    file: "reading/lists/cursor.ts",
    why: "A function that ends without a value returns undefined.",
    isEquivalent: true,
    changes: ["} catch [{ return undefined; } → {}]"],
  },
  {
    file: "reading/lists/entries.ts",
    why: "A document that does not exist has no score either.",
    isEquivalent: true,
    changes: [
      "if ([player === undefined → false] || score === undefined) return undefined;",
      'const achieved: unknown = [data?.["achieved_at"] → data["achieved_at"]] ?? updateTime;',
    ],
  },
  {
    file: "transports/deployed-name.ts",
    why: "A name that no function has is treated like an empty one: it equals no other, ends with none and has no dot.",
    isEquivalent: true,
    changes: [
      'function groupIn({ FUNCTION_TARGET: target = ["" → "Stryker was here!"] }: Environment): string[] {',
      'const { K_SERVICE: service = ["" → "Stryker was here!"], FUNCTION_TARGET: target = "", FIRERANK_PREFIX: set } = environment;',
      'const { K_SERVICE: service = "", FUNCTION_TARGET: target = ["" → "Stryker was here!"], FIRERANK_PREFIX: set } = environment;',
    ],
  },
  {
    file: "world/retryable.ts",
    why: "No list of codes includes undefined; only the type checker needs the condition.",
    isEquivalent: true,
    changes: [
      "if ([code === undefined → false] || !retryable.includes(code)) return undefined;",
      "return [code !== undefined → true] && overtaken.includes(code);",
    ],
  },
];
