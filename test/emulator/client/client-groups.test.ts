/** Private groups by the client package, against the emulators: friends' scores live, removal, the end, and strangers. */
import { collection, doc, getDoc, getDocs, getFirestore } from "firebase/firestore";
import {
  createGroup,
  deleteGroup,
  type FirerankError,
  getGroup,
  getMyGroups,
  joinGroup,
  leaderboard,
  leaveGroup,
  type Leaderboard,
  removeMember,
  renameGroup,
  type WatchedGroup,
  watchGroup,
} from "firerank-client";
import { expect, onTestFinished, test } from "vitest";
import {
  groupCodesPath,
  privateGroupPath,
  privateGroupsPath,
} from "../../../functions/src/documents/paths.ts";
import { clientApp } from "../../support/client/client-app.ts";
import { createStage, type Stage } from "../../support/client/client-stage.ts";
import { meterListening } from "../../support/client/listen-meter.ts";
import { type Heard, listen } from "../../support/client-listening.ts";
import { createBoardWithGroups, createGroup as createGroupOf, playInGroups } from "../../support/groups.ts";
import { presentWeek, toEndOf } from "../../support/league.ts";
import { eventually, type LiveBoard, useLive } from "../../support/live.ts";
import { admin } from "../../support/world.ts";

const live = useLive();

const boardWithGroups = () => live.board({ private_groups: true, aggregation: "latest" });

/** A board as the app of a player has it, who is signed in. */
async function boardOf(name: string, { leaderboard: id }: LiveBoard): Promise<Leaderboard> {
  const client = clientApp();
  await live.as(name);
  await client.signInAgain(live.uid(name));
  return leaderboard(client.app, id);
}

interface Watching {
  heard: Heard<WatchedGroup | null>;
  errors: FirerankError[];
}

function watch(board: Leaderboard, group: string): Watching {
  const heard = listen<WatchedGroup | null>();
  const errors: FirerankError[] = [];
  onTestFinished(watchGroup(board, group, heard.hear, (error) => errors.push(error)));
  return { heard, errors };
}

const hasEnded = ({ errors }: Watching, code: string) =>
  eventually(() => expect(errors.map((error) => error.code)).toEqual([code]));

test("friends see each other's scores as they come, for one read a change; who is removed hears it", async () => {
  const onServer = await boardWithGroups();
  const [ann, bob] = [await boardOf("ann", onServer), await boardOf("bob", onServer)];
  const { group, code } = await createGroup(ann, { name: "Friends", size: 5, display_name: "Ann" });
  expect(await joinGroup(bob, { code: code.toLowerCase(), display_name: "Bob" })).toEqual({
    group,
    name: "Friends",
  });

  const meter = meterListening();
  onTestFinished(() => meter.end());
  const anns = watch(ann, group);
  await anns.heard.match({ place: 1, players: 2, state: "open", name: "Friends", size: 5 });
  let reads = 0;
  const [document, definition] = [1, 1];
  await expect.poll(() => (reads += meter.reads()), { timeout: 30_000 }).toBe(document + definition);
  await onServer.submit({ bob: 60 });
  await anns.heard.match({ place: 2, entries: [{ player: live.uid("bob"), score: 60, place: 1 }, {}] });
  await expect.poll(() => (reads += meter.reads()), { timeout: 30_000 }).toBe(document + definition + 1);
  await eventually(async () =>
    expect(anns.heard.all.at(-1)).toEqual({ ...(await getGroup(ann, group)), from_cache: false }),
  );

  const bobs = watch(bob, group);
  await bobs.heard.match({ place: 1, players: 2 });
  expect(await getMyGroups(bob)).toMatchObject({ groups: [{ group, is_owner: false, players: 2 }] });
  await expect(renameGroup(bob, group, "Bob's")).rejects.toMatchObject({ code: "not_allowed" });
  await renameGroup(ann, group, "Old friends");
  await bobs.heard.match({ name: "Old friends" });
  const { code: next } = await removeMember(ann, group, live.uid("bob"));
  await hasEnded(bobs, "group_not_found");
  await anns.heard.match({ players: 1 });
  await expect(joinGroup(bob, { code })).rejects.toMatchObject({ code: "group_not_found" });
  expect(await getGroup(ann, group, { with_code: true })).toMatchObject({ code: next });
  expect(anns.errors).toEqual([]);
});

test("strangers see neither the group nor its code, by rules and by calls; a deleted group is gone for its members", async () => {
  const onServer = await boardWithGroups();
  const [ann, cyd] = [await boardOf("ann", onServer), await boardOf("cyd", onServer)];
  const { group } = await createGroup(ann, { name: "Friends" });
  await hasEnded(watch(cyd, group), "group_not_found");
  const denied = { code: "permission-denied" };
  const [ownFirestore, firestore] = [ann, cyd].map(({ app }) => getFirestore(app));
  if (ownFirestore === undefined || firestore === undefined) throw new Error("no app");
  expect((await getDoc(doc(ownFirestore, privateGroupPath(ann.id, group)))).get("name")).toBe("Friends");
  await expect(getDoc(doc(firestore, privateGroupPath(ann.id, group)))).rejects.toMatchObject(denied);
  for (const path of [privateGroupsPath(ann.id), groupCodesPath(ann.id)])
    await expect(getDocs(collection(ownFirestore, path)), path).rejects.toMatchObject(denied);

  const anns = watch(ann, group);
  await anns.heard.match({ players: 1 });
  await deleteGroup(ann, group);
  await hasEnded(anns, "group_not_found");
  // Whoever leaves what is not there is told nothing more than who leaves.
  expect(await leaveGroup(ann, group)).toEqual({ group });
});

test("a group that ends is reported with its final places, though no function looks at it but for the watcher", async () => {
  const onServer = await boardWithGroups();
  const ann = await boardOf("ann", onServer);
  await onServer.submit({ ann: 50 });
  const ends_at = new Date(Date.now() + 20_000).toISOString();
  const { group } = await createGroup(ann, { name: "Sprint", ends_at });
  const anns = watch(ann, group);
  await anns.heard.match({ state: "open", ends_at });
  await anns.heard.match({ state: "ended", entries: [{ player: live.uid("ann"), score: 50, place: 1 }] });
  expect(anns.errors).toEqual([]);
});

test("a group goes on into the next week when that begins by the server's clock, and stays for a hidden member", async () => {
  const stage = await createStage();
  const { world } = stage;
  const client = clientApp();
  const ann = live.uid("anna");
  await client.signIn(ann);
  stage.functions.caller = ann;
  await createBoardWithGroups(world, { spans: ["weekly"] });
  const { group } = await createGroupOf(world, [ann, "bob"]);
  await playInGroups(world, { [ann]: 50, bob: 60 });
  const week = await presentWeek(world);
  await toEndOf(world, week, -4_000);
  const anns = watch({ ...stage.boardOf(ann), app: client.app }, group);
  await anns.heard.match({ season: week.season, place: 2, entries: [{ player: "bob", score: 60 }, {}] });
  // The world's clock stands still, so the device is the first in the next week.
  await eventually(() => expect(questions(stage)).toBeGreaterThan(1));
  expect(anns.heard.all.at(-1)?.season).toBe(week.season);
  world.advance(5_000);
  const { season } = await presentWeek(world);
  await anns.heard.match({ season, players: 2, entries: [{ place: 1 }, { place: 2 }] });
  expect(anns.heard.all.at(-1)?.entries.map(({ score }) => score)).toEqual([undefined, undefined]);
  const asked = questions(stage);
  await playInGroups(world, { [ann]: 7 });
  await anns.heard.match({ season, place: 1, entries: [{ score: 7, rank: 1 }, {}] });
  expect(questions(stage)).toBe(asked);
  await world.call("setPlayerStatus", { leaderboard: "board", player: ann, status: "hidden" }, admin);
  await anns.heard.match({ place: null, players: 1 });
  expect(anns.errors).toEqual([]);
});

const questions = ({ functions }: Stage) => functions.calls.filter(({ name }) => name === "getGroup").length;
