/** The simulation finds each mistake of mutants.ts. */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { afterAll, expect, test } from "vitest";
import { mutants } from "../../../simulate/mutants.ts";
import type { Mistaken } from "../../support/simulated-mistakes.ts";

/** Steps of a seed. */
const steps = 2_000;

/** A mistake that this many seeds do not show is not found: 300,000 steps. */
const seeds = 150;

/** It plays one mistake after the other. If one ends it, the next mistake has another. */
let player: ChildProcess | undefined;

function played(mutant: string, seed: number): Promise<string> {
  const child = (player ??= fork("test/support/simulated-mistakes.ts", { execArgv: [] }));
  return new Promise((resolve) => {
    const end = (code: number | null) => {
      player = undefined;
      resolve(`its process ended with ${code}`);
    };
    child.once("exit", end);
    child.once("message", (message: string) => {
      child.off("exit", end);
      resolve(message);
    });
    child.send({ mutant, seed, seeds, steps } satisfies Mistaken);
  });
}

afterAll(() => void player?.kill());

// Each begins at a seed that found it. With another program another seed may find it first, which only takes longer.
const found: [name: string, message: RegExp, seed: number][] = [
  ["a commit without its shard document", /conservation/, 1],
  ["a mark that names no version", /conservation/, 1],
  ["a commit that wakes nobody", /asleep/, 1],
  ["a season that sleeps although it was just woken", /asleep/, 185],
  ["a last look that sees no change", /at rest|asleep|left out/, 752],
  ["a change in a slot that has ended", /whole generations/, 152],
  ["a submission that is not remembered", /counted/, 1],
  ["a commit that gets lost", /answers/, 1],
  ["a trigger that brings nothing into line", /convergence|conservation/, 6],
  ["a correction without a receipt", /conservation/, 21],
  ["an unguarded publication", /conservation/, 17],
  ["pages that are left beside the only one", /whole generations/, 2],
  ["a refresh that sees no pending change", /top/, 37],
  ["an unguarded top", /top/, 3],
  ["a top that keeps its number of players", /honest ranks|min_generation|whole generations/, 50],
  ["a shared task that goes on as it began", /at rest/, 142],
  ["a run that forgets the runs before it", /runs: generations/, 87],
  ["a run that is always beaten", /at rest|progress/, 82],
  ["a daily look that leaves out seasons that are awake", /alerts/, 2],
  ["a count of another moment", /honest ranks/, 104],
  ["shards of two minutes ago", /honest ranks|live/, 31],
  ["a list from its other end", /lists|segments|honest ranks/, 28],
  ["an admin who leaves no note", /standings/, 43],
  ["a season as it was ten minutes ago", /answers|counted|cleared|no season/, 21],
  ["a season that is closed at once", /life/, 1],
  ["an event that is not told", /events/, 1],
  ["a copy that is listed as that of the day before", /movement/, 22],
  ["a page of segments that stays as it was", /whole generations/, 1],
  ["teams that stay as they were", /teams/, 1],
  ["a list of teams without its last", /teams/, 1],
  ["a list of a segment that has everybody", /segments/, 61],
  ["a ban that a new season forgets", /status: /, 38],
  ["a ban that a server's first write forgets", /nothing lost/, 3],
  ["a merge that leaves who goes", /nothing lost/, 16],
  ["a merge that drops values", /merged/, 8],
  ["a name that one season shows", /profile/, 2],
  ["a name that a new season forgets", /begins .* as ""/, 1],
  ["an erased player whom events still name", /erased/, 1],
  ["an export without events", /exported/, 3],
  ["a deleted board that leaves its events", /deleted/, 3],
  ["a count of new boards of ten minutes ago", /templates: .* is counted/, 1],
  ["a level that opens a board although it was deleted", /no document names it/, 59],
  ["a first board that freezes nothing", /templates: .* which has boards/, 6],
  ["a definition under another template's name", /templates/, 22],
  ["a ban of a template that a first score forgets", /templates: .*(the template has|was made banned)/, 3],
  ["an erasure that leaves the player's other boards", /templates: .* is gone/, 76],
  ["a page of a player's boards without its last", /my boards/, 13],
  ["a prize without its record", /paid/, 56],
  ["a seat for somebody who has one", /league: \w+ has \[/, 67],
  ["a group that forgets how many seats it has given", /league: .* has given/, 1],
  ["seats before the week before is settled", /new members before/, 45],
  ["a group settled with the scores that it showed before", /no document said|was settled as/, 36],
  ["a group that is to be settled again", /was not to be/, 4],
  ["a settled group that tells nobody", /does not tell of league_settled/, 4],
  ["a week that is settled in no order", /new members before|is settled before/, 114],
  ["places that are shared", /was settled as/, 4],
  ["an outcome before the end", /league/, 1],
  ["a seat without its time", /which no document said/, 1],
  ["a guest's score that counts", /which no document said/, 22],
  ["a standing as of the week before", /league: .* stands in/, 4],
  ["a standing that forgets its height", /league: .* stands in/, 4],
  ["a group that changes its rules", /league: the rules/, 1],
  ["a ban that groups do not hear of", /league: .* was made/, 19],
  ["an erasure that groups do not hear of", /erased/, 1],
  ["a merge that leaves a seat", /erased/, 1],
  ["a merge that leaves where somebody stood", /stands in the league/, 54],
  ["a first score that asks for a seat whenever it comes", /too late/, 2],
  ["a group that stays the newest", /is the newest/, 1],
  ["outcomes that go with the week", /league: .* stands in/, 4],
  ["a member who leaves and is still shown", /has left/, 4],
  ["a wish that is not kept", /stands there as before/, 2],
  ["a change that comes into no group", /at rest|is the newest/, 28],
  ["an answer of five minutes ago", /was answered/, 1],
  ["a code that whoever was taken out still has", /has the codes/, 1],
  ["a code that leads in as it did minutes ago", /refused with group_not_found|which leads to/, 1],
  ["a deleted group that leaves its code", /is gone, and has the codes/, 1],
  ["a member who is told to have joined", /was told to be in/, 1],
  ["a member who leaves and stays", /was told to have left/, 1],
  ["a group that grows with its members", /groups: .* was .* and is/, 1],
  ["a player who is in as many groups as there are", /groups: \w+ is in/, 3],
  ["an owner who has left", /groups: .* was .* and is/, 3],
  ["a change that comes into no private group", /at rest|by the end/, 1],
  ["a last score in time that gets lost", /by the end|at rest/, 94],
  ["a group that stays in a season", /which no document said|is older|at rest|group_ended/, 3],
  ["a group that goes by the calendar of before", /groups: .* and the calendar has/, 2],
  ["a member's score without its time", /which no document said/, 1],
  ["a group that ends at once", /before its time/, 3],
  ["a group that is to end again", /groups: .* was .* and is/, 1],
  ["a group that ends with two first places", /has ended as .* is at|events: group_ended/, 3],
  ["a final place that a ban takes", /has ended as|the place was final/, 1],
  ["an end that tells nobody", /does not tell of group_ended/, 1],
  ["a ban that private groups do not hear of", /was made/, 7],
  ["an erasure that private groups do not hear of", /erased/, 1],
  ["a merge that leaves a member", /erased/, 1],
  ["an export without private groups", /exported/, 1],
  ["a deleted board that leaves its groups", /deleted/, 3],
  ["a group as it was five minutes ago", /was answered|refused with group_not_found/, 1],
  ["a list of own groups without its last", /was answered/, 2],
];

test("each mistake is looked for", () => {
  expect(found.map(([name]) => name)).toEqual(Object.keys(mutants));
});

test.each(found)("%s is found", async (name, message, seed) => {
  expect(await played(name, seed)).toMatch(message);
});

test("the command tells what was found, after which actions, and how to see it again", async () => {
  const mutant = "a submission that is not remembered";
  const output = await new Promise<string>((resolve) => {
    const given = ["simulate/main.ts", "--mutant", mutant, "--seed", "1", "--steps", String(steps)];
    execFile(process.execPath, given, (error, _, told) => resolve(`${String(error?.code)} ${told}`));
  });
  expect(output).toMatch(
    new RegExp(
      `^1 \\nFound after .* steps\\.\\n\\nSeed 1, step \\d+: counted.*The last actions:\\n.*--seed 1 --steps ${steps} .* --mutant "${mutant}"`,
      "s",
    ),
  );
});
