/** Variants of Firerank with one mistake each about seasons, to show that the simulation finds such mistakes. */
import type {
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Query,
  QuerySnapshot,
  Transaction,
} from "../../functions/src/documents/firestore.ts";
import { followPlayer } from "../../functions/src/indexing/follow-player.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { type Board, type BoardCache, createBoardCache } from "../../functions/src/seasons/board.ts";
import { stretchAt } from "../../functions/src/seasons/stretch.ts";
import type { SeasonsPlan } from "./plan.ts";
import type { Mutant } from "../mutants.ts";

/** One mistake. Services that are changed are those of an instance or of one kind of invocation. */
export interface SeasonsMutant extends Pick<Mutant, "weaken" | "find" | "pages"> {
  /** Changes a seed's plan, so that the mistake shows sooner. */
  plan?: (plan: SeasonsPlan) => SeasonsPlan;
  /** Replaces the trigger. */
  trigger?: typeof followPlayer;
  /** Changes an instance's services, including its memory. */
  services?: (services: Services) => Services;
  /** Changes the services of a submission. */
  submitting?: (services: Services) => Services;
  /** Changes the services of a closing step. */
  stepping?: (services: Services) => Services;
  /** Changes the services of removePlayer and setPlayerStatus. */
  administering?: (services: Services) => Services;
  /** Changes the services of mergePlayers. */
  merging?: (services: Services) => Services;
  /** Changes the services of exportPlayer. */
  exporting?: (services: Services) => Services;
  /** Changes the services of the payer. */
  paying?: (services: Services) => Services;
  /** Changes the services of readers' calls. */
  reading?: (services: Services) => Services;
}

/** A plan in which some actions happen this often. */
const weighing =
  (weights: Partial<SeasonsPlan["weights"]>) =>
  (plan: SeasonsPlan): SeasonsPlan => ({ ...plan, weights: { ...plan.weights, ...weights } });

/** A trigger that opens the season of its event, even if it was deleted or never existed. */
const opening: typeof followPlayer = async (services, key, ...others) => {
  const { boards } = services;
  const board = await boards.load(key);
  const [span = "", day] = key.season.split(/-(.*)/s);
  if (board.season === undefined && span === "daily")
    await boards.open(stretchAt(key.leaderboard, board, span, Date.parse(`${day}T12:00:00Z`)));
  await followPlayer(services, key, ...others);
};

/** Changes the boards in memory. */
function withBoards(services: Services, change: (board: Board) => Board): Services {
  const boards: BoardCache = {
    ...services.boards,
    load: async (key) => change(await services.boards.load(key)),
  };
  return { ...services, boards };
}

const isSeason = (path: string) => /^leaderboards\/[^/]+\/seasons\/[^/]+$/.test(path);

/** A closing that ignores changes of players, and runs since it compared the standings with the pages. */
function closingByMemory(services: Services): Services {
  let ranking: unknown;
  const shown = (found: DocumentSnapshot, change: object) => {
    const data = found.data();
    if (!isSeason(found.ref.path) || data === undefined) return found;
    return Object.assign(Object.create(found) as DocumentSnapshot, { data: () => ({ ...data, ...change }) });
  };
  const { db } = services;
  const doc = (path: string) => {
    const ref = db.doc(path);
    const get = async () => {
      const found = await ref.get();
      if (isSeason(path)) ranking = found.get("ranking");
      return shown(found, { changed_at: null });
    };
    return Object.assign(Object.create(ref) as DocumentReference, ref, { get });
  };
  const runTransaction: Firestore["runTransaction"] = (update, options) =>
    db.runTransaction((transaction) => {
      const change = { changed_at: null, ...(ranking === undefined ? {} : { ranking }) };
      const getAll = async (...refs: DocumentReference[]) =>
        (await transaction.getAll(...refs)).map((found) => shown(found, change));
      return update(Object.assign(Object.create(transaction) as Transaction, transaction, { getAll }));
    }, options);
  return { ...services, db: Object.assign(Object.create(db) as Firestore, db, { doc, runTransaction }) };
}

/** A database in which writes of some paths do nothing. */
function without(services: Services, isMeant: (path: string) => boolean): Services {
  const { db } = services;
  const doc = (path: string) => {
    const ref = db.doc(path);
    const set = () => Promise.resolve();
    return isMeant(path) ? Object.assign(Object.create(ref) as DocumentReference, ref, { set }) : ref;
  };
  return { ...services, db: Object.assign(Object.create(db) as Firestore, db, { doc }) };
}

/** A revision that claims to have published, but has not. */
function withoutPublishing(services: Services): Services {
  const { db } = services;
  const batch = () => {
    const made = db.batch();
    const paths: string[] = [];
    for (const name of ["set", "create", "update", "delete"] as const) {
      const write = made[name].bind(made) as (ref: DocumentReference, ...others: unknown[]) => unknown;
      Object.assign(made, {
        [name]: (ref: DocumentReference, ...others: unknown[]) => {
          paths.push(ref.path);
          write(ref, ...others);
        },
      });
    }
    const commit = made.commit.bind(made);
    const isRevision = async () => {
      const [season, page] =
        paths.find((path) => path.includes("/scores_ranking/"))?.split("/scores_ranking/") ?? [];
      if (season === undefined || page === undefined) return false;
      return (await db.doc(season).get()).get("status") === "closed";
    };
    return Object.assign(made, { commit: async () => ((await isRevision()) ? [] : commit()) });
  };
  return { ...services, db: Object.assign(Object.create(db) as Firestore, db, { batch }) };
}

/** Instances that remember boards for ten minutes. */
function remembering(services: Services): Services {
  return { ...services, boards: createBoardCache({ ...services, keepMs: 600_000 }) };
}

/** Seasons that are no longer current are not looked at again. */
function withoutEarlier(services: Services): Services {
  return withBoards(services, (board) => {
    const closesMs = board.season?.closes_at?.toMillis() ?? Infinity;
    const isOver = board.season?.span !== "custom" && closesMs <= services.now();
    return isOver ? { ...board, season: undefined } : board;
  });
}

/** A payer that looks for no receipt. */
function withoutReceipts(services: Services): Services {
  const { db } = services;
  const runTransaction: Firestore["runTransaction"] = (update, options) =>
    db.runTransaction((transaction) => {
      const methods = {
        get: () => Promise.resolve({ exists: false }),
        create: (ref: DocumentReference, data: object) => transaction.set(ref, data),
      };
      return update(Object.assign(Object.create(transaction) as Transaction, transaction, methods));
    }, options);
  return { ...services, db: Object.assign(Object.create(db) as Firestore, db, { runTransaction }) };
}

/** Events that are written apart, after what they tell of. */
function tellingApart(services: Services): Services {
  const { db } = services;
  const runTransaction: Firestore["runTransaction"] = async (update, options) => {
    let told: [DocumentReference, object][] = [];
    const result = await db.runTransaction((transaction) => {
      told = [];
      const set = (ref: DocumentReference, data: object, ...others: []) => {
        if (ref.path.includes("/events/")) told.push([ref, data]);
        else transaction.set(ref, data, ...others);
      };
      return update(Object.assign(Object.create(transaction) as Transaction, transaction, { set }));
    }, options);
    for (const [ref, data] of told) await ref.set(data);
    return result;
  };
  return { ...services, db: Object.assign(Object.create(db) as Firestore, db, { runTransaction }) };
}

/** A removal that finds no events. */
function withoutEvents(services: Services): Services {
  const { db } = services;
  const runTransaction: Firestore["runTransaction"] = (update, options) =>
    db.runTransaction((transaction) => {
      const read = transaction.get.bind(transaction) as (target: Query) => Promise<Partial<QuerySnapshot>>;
      const get = async (target: Query) => {
        const found = await read(target);
        return found.docs?.[0]?.ref.path.includes("/events/") ? { docs: [] } : found;
      };
      return update(Object.assign(Object.create(transaction) as Transaction, transaction, { get }));
    }, options);
  return { ...services, db: Object.assign(Object.create(db) as Firestore, db, { runTransaction }) };
}

/** A merge that leaves the other player's document behind, to be merged again. */
function withoutDeleting(services: Services): Services {
  const { db } = services;
  const runTransaction: Firestore["runTransaction"] = (update, options) =>
    db.runTransaction((transaction) => {
      const remove = transaction.delete.bind(transaction) as (ref: DocumentReference) => unknown;
      const methods = {
        delete: (ref: DocumentReference) => (ref.path.includes("/players/") ? transaction : remove(ref)),
      };
      return update(Object.assign(Object.create(transaction) as Transaction, transaction, methods));
    }, options);
  return { ...services, db: Object.assign(Object.create(db) as Firestore, db, { runTransaction }) };
}

/** A merge on a board of sums that takes the last score. */
function mergingByLast(services: Services): Services {
  return withBoards(services, (board) => {
    const { aggregation } = board.definition;
    return {
      ...board,
      definition: { ...board.definition, aggregation: aggregation === "sum" ? "latest" : aggregation },
    };
  });
}

/**
 * Steps that begin by what their instance read of a season and its closing up to two minutes ago, and write the standings
 * again, as if nobody else were at work.
 */
function fromMemory(services: Services): Services {
  const { db, now, boards } = services;
  const memory = rememberedBy.get(boards) ?? new Map<string, { found: DocumentSnapshot; atMs: number }>();
  rememberedBy.set(boards, memory);
  const begun = new Set<string>();
  const doc = (path: string) => {
    const ref = db.doc(path);
    const get = async () => {
      const known = begun.has(path) ? undefined : memory.get(path);
      begun.add(path);
      // Once, or no step would ever get further.
      memory.delete(path);
      if (known !== undefined && now() - known.atMs < 120_000) return atWriting(known.found);
      const found = await ref.get();
      if (found.exists) memory.set(path, { found, atMs: now() });
      return found;
    };
    return isSeason(path) || path.includes("/runs/")
      ? Object.assign(Object.create(ref) as DocumentReference, ref, { get })
      : ref;
  };
  return { ...services, db: Object.assign(Object.create(db) as Firestore, db, { doc }) };
}

/** The record of a closing whose standings are about to be written again. */
function atWriting(found: DocumentSnapshot): DocumentSnapshot {
  const { written, ...record } = found.data() ?? {};
  if (written === undefined) return found;
  const again = { ...record, phase: "ranking", written: { ...(written as object), documents: 1 } };
  return Object.assign(Object.create(found) as DocumentSnapshot, { data: () => again });
}

const rememberedBy = new WeakMap<BoardCache, Map<string, { found: DocumentSnapshot; atMs: number }>>();

const isOfStep = (path: string) => path.includes("/standings/") || path.includes("/runs/");

/** The mistakes. mutants.test.ts has the number of steps within which each is found. */
export const seasonsMutants = {
  "a late event that recreates a deleted season": {
    // Seasons are to be deleted while events of theirs are still on their way.
    plan: weighing({ deliver: 3, redeliver: 6, jump: 3, step: 10, schedule: 5 }),
    trigger: opening,
  },
  "standings written before the last change": { stepping: closingByMemory },
  "a submission that counts after the end, by an old memory": {
    plan: weighing({ merge: 0 }),
    services: remembering,
  },
  "a retry that counts again after midnight": {
    // Where another span goes on, it knows the submission.
    plan: (plan) => ({
      ...plan,
      definition: { ...plan.definition, spans: ["daily"] },
      weights: { ...plan.weights, submit: 30, jump: 3, merge: 0 },
      faults: { ...plan.faults, answerLost: 0.1 },
    }),
    submitting: withoutEarlier,
  },
  "steps that do not mind each other": {
    stepping: fromMemory,
    weaken: (path, guard) => (isOfStep(path) ? {} : guard),
  },
  "one season too few that is kept": {
    stepping: (services) =>
      withBoards(services, (board) => {
        const { keep_seasons: keep = 1 } = board.definition;
        return { ...board, definition: { ...board.definition, keep_seasons: keep - 1 } };
      }),
  },
  "a revision that does not rank the others again": {
    plan: weighing({ "set status": 10, jump: 2, read: 1, merge: 0 }),
    // A revision is published by the call, or by the next step where others came just before.
    administering: withoutPublishing,
    stepping: withoutPublishing,
  },
  "a reward paid twice": {
    plan: weighing({ "close a cup": 2, step: 8, "pay again": 4, merge: 0 }),
    paying: withoutReceipts,
  },
  "an end whose event is written apart from it": { stepping: tellingApart },
  "an erased player whom events still name": { administering: withoutEvents },
  "an export without events": { exporting: withoutEvents },
  "a merge that can count again": { plan: weighing({ merge: 2 }), merging: withoutDeleting },
  "a merge that loses a part of a sum": {
    plan: (plan) => ({
      ...weighing({ merge: 2 })(plan),
      definition: { ...plan.definition, aggregation: "sum" },
    }),
    merging: mergingByLast,
  },
  "a ban that a new season forgets": {
    administering: (services) => without(services, (path) => path.includes("/player_statuses/")),
  },
} satisfies Record<string, SeasonsMutant>;
