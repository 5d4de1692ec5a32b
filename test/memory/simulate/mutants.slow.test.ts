/** The simulation finds each mistake of mutants.ts. */
import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { workFolder } from "../../../scripts/project.ts";
import { mutants } from "../../../simulate/mutants.ts";

/** Steps of a seed. */
const stepsOfSeed = 2_000;

/** A mistake that this many seeds do not show is not found: 300,000 steps. */
const seeds = 150;

/** All processes load the same modules. */
const env = { ...process.env, NODE_COMPILE_CACHE: workFolder("compiled") };

/** Plays a mistake, in a process of its own, so that two are played at a time. */
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
  ["a commit without its shard document", /conservation/, 1],
  ["a mark that names no version", /conservation/, 1],
  ["a commit that wakes nobody", /asleep/, 1],
  ["a season that sleeps although it was just woken", /asleep/, 80],
  ["a last look that sees no change", /at rest|asleep/, 582],
  ["a change in a slot that has ended", /whole generations/, 3],
  ["a submission that is not remembered", /counted/, 1],
  ["a commit that gets lost", /answers/, 1],
  ["a trigger that brings nothing into line", /convergence|conservation/, 1],
  ["a correction without a receipt", /conservation/, 1],
  ["an unguarded publication", /conservation/, 4],
  ["pages that are left beside the only one", /whole generations/, 4],
  ["a refresh that sees no pending change", /top/, 2],
  ["an unguarded top", /top/, 2],
  ["a top that keeps its number of players", /honest ranks|min_generation|whole generations/, 15],
  ["a shared task that goes on as it began", /at rest/, 1],
  ["a run that forgets the runs before it", /runs: generations/, 12],
  ["a run that is always beaten", /at rest|progress/, 1],
  ["a daily look that leaves out seasons that are awake", /alerts/, 1],
  ["a count of another moment", /honest ranks/, 94],
  ["shards of two minutes ago", /honest ranks|live/, 2],
  ["a list from its other end", /lists|segments|honest ranks/, 28],
  ["an admin who leaves no note", /standings/, 12],
  ["a season as it was ten minutes ago", /answers|counted|cleared|no season/, 1],
  ["a season that is closed at once", /life/, 1],
  ["an event that is not told", /events/, 1],
  ["a copy that is listed as that of the day before", /movement/, 2],
  ["a page of segments that stays as it was", /whole generations/, 1],
  ["teams that stay as they were", /teams/, 1],
  ["a list of teams without its last", /teams/, 1],
  ["a list of a segment that has everybody", /segments/, 3],
  ["a ban that a new season forgets", /status: /, 46],
  ["a ban that a server's first write forgets", /nothing lost/, 3],
  ["a merge that leaves who goes", /nothing lost/, 1],
  ["a merge that drops values", /merged/, 1],
  ["a name that one season shows", /profile/, 2],
  ["an erased player whom events still name", /erased/, 1],
  ["an export without events", /exported/, 1],
  ["a deleted board that leaves its events", /deleted/, 3],
  ["a count of new boards of ten minutes ago", /templates: .* is counted/, 1],
  ["a level that opens a board although it was deleted", /no document names it/, 1],
  ["a first board that freezes nothing", /templates: .* which has boards/, 1],
  ["a definition under another template's name", /templates/, 1],
  ["a ban of a template that a first score forgets", /templates: .*(the template has|was made banned)/, 3],
  ["an erasure that leaves the player's other boards", /templates: .* is gone/, 1],
  ["a page of a player's boards without its last", /my boards/, 1],
  ["a prize without its record", /paid/, 1],
  ["a seat for somebody who has one", /league: \w+ has \[/, 1],
  ["a group that forgets how many seats it has given", /league: .* has given/, 1],
  ["seats before the week before is settled", /new members before/, 4],
  ["a group settled with the scores that it showed before", /no document said|was settled as/, 11],
  ["a group that is to be settled again", /was not to be/, 4],
  ["a settled group that tells nobody", /does not tell of league_settled/, 4],
  ["a week that is settled in no order", /new members before|is settled before/, 3],
  ["places that are shared", /was settled as/, 4],
  ["an outcome before the end", /league/, 1],
  ["a seat without its time", /which no document said/, 1],
  ["a guest's score that counts", /which no document said/, 4],
  ["a standing as of the week before", /league: .* stands in/, 4],
  ["a standing that forgets its height", /league: .* stands in/, 4],
  ["a group that changes its rules", /league: the rules/, 1],
  ["a ban that groups do not hear of", /league: .* was made/, 1],
  ["an erasure that groups do not hear of", /erased/, 1],
  ["a merge that leaves a seat", /erased/, 1],
  ["a merge that leaves where somebody stood", /stands in the league/, 1],
  ["a first score that asks for a seat whenever it comes", /too late/, 2],
  ["a group that stays the newest", /is the newest/, 1],
  ["outcomes that go with the week", /league: .* stands in/, 4],
  ["a member who leaves and is still shown", /has left/, 4],
  ["a wish that is not kept", /stands there as before/, 2],
  ["a change that comes into no group", /at rest|is the newest/, 1],
  ["an answer of five minutes ago", /was answered/, 1],
];

test("each mistake is looked for", () => {
  expect(found.map(([name]) => name)).toEqual(Object.keys(mutants));
});

test.concurrent.each(found)("%s is found", async (name, message, seed) => {
  expect(await played(name, seed)).toMatch(message);
});
