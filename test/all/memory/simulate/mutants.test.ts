/** The simulation finds each mistake of mutants.ts. */
import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { workFolder } from "../../../../scripts/project.ts";
import { mutants } from "../../../../simulate/mutants.ts";

/** Steps of a seed. */
const stepsOfSeed = 2_000;

/** A mistake that this many seeds do not show is not found: 300,000 steps. */
const seeds = 150;

/** Each process loads the same modules, but for one. */
const env = { ...process.env, NODE_COMPILE_CACHE: workFolder("compiled") };

/** Plays a mistake. Each has a process of its own, as its source is another. */
function played(mutant: string, seed: number): Promise<string> {
  const options = { mutant, seed, seeds, steps: stepsOfSeed };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return new Promise((resolve) => {
    execFile(process.execPath, ["simulate/main.ts", ...given], { env }, (_, out, error) =>
      resolve(out + error),
    );
  });
}

// Each begins at a seed that found it. With another program another seed may find it first, which only takes longer.
const found: [name: string, message: RegExp, seed: number][] = [
  ["a mark that names no version", /conservation/, 1],
  ["a first mark without its time", /conservation/, 1],
  ["a shard document without its marks", /conservation/, 1],
  ["a slot by the clock of the instance", /whole generations/, 2],
  ["a commit that wakes nobody", /asleep/, 3],
  ["a submission that has no id of its own", /counted/, 1],
  ["a shared fate", /an error/, 1],
  ["a submission to a season that takes nothing any more", /cleared|counted|standings|nothing lost/, 22],
  ["a publication that does not guard the shards", /conservation/, 2],
  ["a publication that takes nothing back", /conservation/, 2],
  ["a run that leaves no shard document in place", /progress/, 2],
  ["a joining that does not guard what it joins", /conservation/, 2],
  ["a top that is not guarded", /top/, 2],
  ["a trigger that looks for no receipt", /conservation/, 1],
  ["a removal without a receipt", /conservation/, 1],
  ["a copy that passes for a commit of ours", /convergence|conservation/, 1],
  ["a first version that is ours for ever", /convergence/, 1],
  ["a trigger that brings nothing into line", /convergence/, 2],
  ["a split that compares numbers alone", /conservation/, 99],
  ["a row that goes with its last player", /conservation/, 10],
  ["sums that meet pages of another generation", /honest ranks/, 14],
  ["a live count of another moment", /honest ranks/, 20],
  ["sums that wait far longer than their reads cost", /live/, 3],
  ["sums that are kept for ever", /live/, 1],
  ["an admin who leaves no note", /standings/, 19],
  ["a closing that leaves notes", /ended|standings/, 13],
  ["a closing that completes nobody", /standings/, 8],
  ["a table that keeps its read time for ever", /progress/, 72],
  ["standings numbered as those before", /standings|an error/, 82],
  ["players of a table who are read at several times", /standings/, 79],
  ["a ban that keeps no line", /standings/, 98],
  ["a final page that does not say so", /standings/, 29],
  ["a final top of the players as they are now", /top/, 3],
  ["a correction that does not wait for a repair", /conservation/, 3],
  ["a repair that does not say when it read", /conservation/, 3],
  ["a deletion that is always later than a repair", /conservation/, 2],
  ["a repair that searches where the ranking before ended", /at rest|conservation/, 2],
  ["a ranking that mixes two days", /whole generations|movement/, 2],
  ["a copy of midnight that later rankings replace", /movement/, 1],
  ["a copy that is listed as that of the day before", /movement/, 1],
  ["midnights of another time zone", /movement/, 2],
  ["a note of what is counted after the change", /movement/, 1],
  ["notes that are gone too soon", /movement/, 25],
  ["an event that brings no note back", /movement/, 19],
  ["a ranking that passes for that of a midnight while changes wait", /movement/, 37],
  ["a repair that keeps what midnights were", /movement/, 2],
  ["a repair that passes for the ranking of a midnight before", /movement/, 2],
  ["a change that is counted out of the new segments", /conservation/, 1],
  ["a new name that takes a player out of the segments", /conservation/, 2],
  ["a page of segments that stays as it was", /whole generations/, 1],
  ["pages of segments that are left over", /whole generations/, 3],
  ["a value that comes in after it was left out", /conservation/, 5],
  ["a new season that forgets its players' segments", /counted/, 2],
  ["a merge that drops values", /merged/, 2],
  ["a segment with what is pending of all players", /honest ranks/, 2],
  ["a list of a segment that has everybody", /segments/, 1],
  ["ranks of segments of several generations", /segments/, 1],
  ["a closed season whose segments have everybody", /standings/, 1],
  ["a ban that a new season forgets", /status/, 19],
  ["a merge that can count again", /nothing lost/, 1],
  ["a name that one season shows", /profile/, 1],
  ["a deleted board that leaves its events", /deleted/, 3],
  ["an event of a deleted board that counts in another", /conservation/, 3],
  ["an erased player whom events still name", /erased/, 1],
];

test("each mistake is looked for", () => {
  expect(found.map(([name]) => name)).toEqual(Object.keys(mutants));
});

test.concurrent.each(found)("%s is found", async (name, message, seed) => {
  expect(await played(name, seed)).toMatch(message);
});
