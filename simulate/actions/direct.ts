/** Trusted servers write players' documents by themselves, to seasons that take scores and to those that take none any more. */
import { FieldValue } from "../../functions/src/documents/firestore.ts";
import { playerPath, playersPath, seasonPath } from "../../functions/src/documents/paths.ts";
import type { Services } from "../../functions/src/world/services.ts";
import { oneOf, someGuild, somePlayer, someScore, someSeason, someSegment } from "../actors.ts";
import { keyIn } from "../board.ts";
import type { DirectWrite } from "../checks/work.ts";
import type { Data } from "../memory/store.ts";
import type { World } from "../world.ts";

const secondsMax = 60;

const unusable = ["12", NaN, Infinity, null, 2 ** 60, [1]];

const writtenScore = (world: World) => (world.random() < 0.2 ? oneOf(world, unusable) : someScore(world));

const kinds = [
  "a field",
  "a field",
  "a status",
  "overwrite",
  "copy",
  "delete",
  "delete and create",
  "delete and create at once",
] as const;

/** On a board with segments also: writes, changes, damages or drops a player's. */
const kindsInSegments = [...kinds, "segments", "segments", "segments"] as const;

/** What a server writes as segments: also what the board does not have, what is no value, and nothing. */
function writtenSegments(world: World): unknown {
  const values = { ...someSegment(world), ...someSegment(world) };
  if (world.random() < 0.6) return values;
  const [country, guild] = ["FR", someGuild(world)];
  return oneOf(world, [null, {}, 5, { country, guild }, { ...values, team: "x" }, { country: 7, guild }]);
}

/** A direct write, and how a server sends it to a season that takes scores. */
type Sent = Pick<DirectWrite, "after" | "isWhole"> & { send: (ref: Ref) => Promise<unknown> };
type Ref = ReturnType<Services["db"]["doc"]>;

/**
 * A trusted server writes a player's document: single fields, a document without a mark, a copy of an older version or of
 * another player's document, nothing any more, or that and then something else.
 */
export function writeDirectly(world: World): void {
  const now = world.now();
  const known = someSeason(
    world,
    ({ season, opensMs, closesMs }) => season.status === "open" && opensMs <= now && now < closesMs,
  );
  // Before its first score, all_time has no document.
  const isNew = world.life.all().length === 0 && world.plan.definition.spans.includes("all_time");
  const season = known?.id ?? (isNew ? "all_time" : undefined);
  if (season === undefined) return;
  const player = somePlayer(world);
  const kind = oneOf(world, world.plan.segments ? kindsInSegments : kinds);
  direct(world, { season, player, kind }, sentOf(world, season, kind), () => {
    if (kind === "delete and create")
      direct(world, { season, player, kind: "create" }, whole(someData(world, season)));
  });
}

function sentOf(world: World, season: string, kind: (typeof kindsInSegments)[number]): Sent {
  switch (kind) {
    case "segments": {
      const segments = writtenSegments(world);
      return {
        ...segmentsAlone(segments),
        send: (ref) => ref.update({ segments: segments ?? FieldValue.delete() }),
      };
    }
    case "a field": {
      const score = writtenScore(world);
      return { ...scoreAlone(score), send: (ref) => ref.set({ score }, { merge: true }) };
    }
    case "a status": {
      const status = oneOf(world, ["active", "active", "hidden", "banned"] as const);
      const after = (before: Data | undefined) => ({ ...before, status });
      return { after, isWhole: false, send: (ref) => ref.update({ status }) };
    }
    case "delete":
    case "delete and create":
      return { after: () => undefined, isWhole: true, send: (ref) => ref.delete() };
    case "delete and create at once": {
      const data = someData(world, season);
      const send = (ref: Ref) => ref.firestore.batch().delete(ref).set(ref, data).commit();
      return { ...whole(data), send };
    }
    case "overwrite":
      return whole(someNew(world));
    case "copy":
      return whole(someData(world, season));
  }
}

const whole = (data: Data): Sent => ({ after: () => data, isWhole: true, send: (ref) => ref.set(data) });

const scoreAlone = (score: unknown) => {
  return { after: (before: Data | undefined) => ({ ...before, score }), isWhole: false };
};

const segmentsAlone = (segments: unknown) => {
  const after = (before: Data | undefined): Data => {
    const { segments: _, ...others } = before ?? {};
    return segments === null ? others : { ...others, segments };
  };
  return { after, isWhole: false };
};

/** A bare score, or one with segments. */
function someNew(world: World): Data {
  const score = someScore(world);
  return world.plan.segments && world.random() < 0.5 ? { score, segments: someSegment(world) } : { score };
}

/** A version that some player's document has had in a season, or a bare score. */
function someData(world: World, season: string): Data {
  const versions = world.versions.get(season) ?? [];
  if (versions.length === 0 || world.random() < 0.3) return someNew(world);
  // Mostly a young one, whose mark still looks as if it was made just now.
  return oneOf(world, world.random() < 0.5 ? versions.slice(-3) : versions).data;
}

function direct(
  world: World,
  { season, player, kind }: { season: string; player: string; kind: string },
  { send, ...write }: Sent,
  then?: () => void,
): void {
  world.invoke({
    name: `a server's write of ${player} in ${season}, ${kind}`,
    work: { kind: "direct", season, player, ...write },
    secondsMax,
    handle: ({ db }) => send(db.doc(playerPath(keyIn(season), player))),
    end(ending) {
      if (ending.how === "done") then?.();
    },
  });
}

/** Mostly a score alone; or nothing any more, a bare score in place of everything, or an older version. */
function lateWrite(world: World, season: string, player: string): DirectWrite {
  const choice = world.random();
  const score = writtenScore(world);
  const of = { kind: "direct", season, player } as const;
  if (world.plan.segments && choice < 0.15) return { ...of, ...segmentsAlone(writtenSegments(world)) };
  if (choice < 0.5) return { ...of, ...scoreAlone(score) };
  const older = (world.versions.get(season) ?? []).filter((version) => version.player === player);
  const data =
    choice < 0.65 ? undefined : choice < 0.8 || older.length === 0 ? { score } : oneOf(world, older).data;
  return { ...of, after: () => data, isWhole: true };
}

/** A trusted server writes to a season that is closing or closed, and not yet being deleted. */
export function writeLate(world: World): void {
  const known =
    (world.random() < 0.8 ? someSeason(world, ({ season }) => season.status === "closing") : undefined) ??
    someSeason(world, ({ season }) => season.status === "closed");
  if (known === undefined) return;
  const key = keyIn(known.id);
  const players = world.database.store.list(playersPath(key)).map(({ id }) => id);
  const player = players.length === 0 || world.random() < 0.2 ? somePlayer(world) : oneOf(world, players);
  const work = lateWrite(world, known.id, player);
  world.invoke({
    name: `a server's write of ${player} in ${known.id}, which is ${known.season.status}`,
    work,
    secondsMax,
    handle: ({ db }) =>
      db.runTransaction(async (transaction) => {
        const ref = db.doc(playerPath(key, player));
        const [season, document] = await transaction.getAll(db.doc(seasonPath(key)), ref);
        if (season?.exists !== true || season.get("status") === "deleting") return;
        const data = work.after(document?.data());
        if (data === undefined) transaction.delete(ref);
        else transaction.set(ref, data);
      }),
  });
}
