/**
 * What a run knows, from the widest to the narrowest. A run publishes one generation after the other until nothing is
 * pending. A generation may take several attempts, as others write at the same time. Each attempt reads a snapshot, and
 * plans a publication from it.
 */
import type { EventToWrite } from "../documents/event.ts";
import type { Timestamp } from "../documents/firestore.ts";
import type { Page } from "../documents/page.ts";
import type { SeasonKey } from "../documents/paths.ts";
import type { Bill, RankingRecord } from "../documents/ranking-record.ts";
import type { Season } from "../documents/season.ts";
import type { SegmentPage } from "../documents/segment-page.ts";
import type { ShardFields } from "../documents/shard.ts";
import type { Teams } from "../documents/teams.ts";
import type { Top } from "../documents/top.ts";
import type { Board } from "../seasons/read-board.ts";
import type { ChangedScores } from "../top/gate.ts";
import type { FoundTop, KeptTop } from "../top/document.ts";
import type { Services } from "../world/services.ts";
import type { Midnights } from "./baselines.ts";
import type { PendingChanges, Ranked } from "./ranked.ts";
import type { ShardSums, SlotChanges } from "./shards.ts";

export interface Run {
  services: Services;
  /** At most a minute old when a generation begins. */
  board: Board;
  /** Whether shards of the slot that has not ended are folded too. */
  includeOpenSlot: boolean;
  /** Whether the season may doze when all is published. */
  mayRest: boolean;
  /** Whether the run publishes one generation, and leaves what takes long to another run. */
  isPart: boolean;
  /** Where the search for shards begins, as memory has it. If it finds some, page 0 has the bound that counts. */
  shardsFrom: Timestamp | null;
  /** How many shard documents the next commit may delete; fewer after a commit that was too big or took too long. */
  deletesMax: number;
  /** The bytes of these documents. */
  deletedBytesMax: number;
  /** The end of the slot whose documents were joined last: the slot is taken, however many documents are left of it. */
  joinedMs: number;
  /** Generations that left documents of their slot in place, as the commit had no room to delete them. */
  overfull: number;
}

/** What the attempts at one generation have in common. */
export interface Attempts {
  /** Of the generation: it says how many attempts there were, and what they did beside the commit. */
  record: RankingRecord;
  /** What the attempts have been billed so far. */
  spent: () => Bill;
  /** The shard documents that attempts have found, by path, with the update time found last. */
  seen: Map<string, Timestamp>;
  /** The paths of those that changed between two attempts. */
  changed: Set<string>;
  /** Whether an attempt failed because another writer was first. */
  wasBeaten: boolean;
}

/** What a generation takes of the shard documents: whole slots, the oldest first (slots.ts). */
export interface Taken {
  /** Documents that the commit deletes, each only if it has not changed. */
  deleted: { path: string; updateTime: Timestamp }[];
  /** What is folded of documents that stay in place, by slot: the commit adds its opposite beside them. */
  reversed: SlotChanges[];
  /** The sums of both. */
  sums: ShardSums;
  /** The scores that each document changes. */
  changed: ChangedScores[];
  /** Whether slots are left for the next generation. */
  more: boolean;
  /** Whether documents are among `reversed` because the commit has no room to delete them. */
  isOverfull: boolean;
  /** The end of the oldest slot, if its documents must be joined before it can be taken: then nothing is taken. */
  slotToJoin: number | undefined;
  /** On a board that keeps movement: when the oldest slot began, and the first midnight that must not be included. */
  firstMs: number;
  untilMs: number;
}

/** What page 0 says of the other documents of its generation. */
export interface FirstPage {
  updateTime: Timestamp;
  pages: number;
  segmentPages: number;
  /** The segments that have a document of teams. */
  teams?: readonly string[] | undefined;
}

/** The next ranking, read and folded, as of one read time. */
export interface Snapshot {
  readAt: Timestamp;
  ranked: Ranked;
  /** Where rows are merged: the changes pending at the read time, not in `ranked`. An exact rank at that time needs them. */
  pending: PendingChanges | undefined;
  /** Players' documents that cannot be ranked. */
  unusable: number;
  /** Every change of a slot that had ended by then is in `ranked`. */
  asOf: Timestamp;
  /** Where the next search for shards may begin; null for the very beginning. */
  shardsFrom: Timestamp | null;
  /** The number of the generation that was published before. */
  generation: number;
  /** Page 0 of that generation, which guards the commit; undefined before the first. */
  firstPage: FirstPage | undefined;
  top: FoundTop | KeptTop;
  /** Whether the season may doze with this publication: it is rarely played, and nothing more is pending. */
  mayDoze: boolean;
  /** The midnights whose rankings are kept: there are some on a board that keeps movement, or has kept it. */
  midnights: Midnights;
  taken: Taken;
}

/** All that the commit of a generation writes. */
export interface Publication {
  key: SeasonKey;
  pages: Page[];
  segmentPages: SegmentPage[];
  /** The documents of teams, by segment; and the segments whose document goes. */
  teams: ReadonlyMap<string, Teams>;
  teamsGone: readonly string[];
  /** Undefined where the top keeps its entries: then it gets the numbers of the generation alone. */
  top: Top | undefined;
  events: EventToWrite[];
  season: Pick<Season, "ranking"> & Partial<Season>;
  record: RankingRecord;
  /** The runs in numbers that the record takes over from the season; undefined where the run leaves no record. */
  takenOver: readonly number[] | undefined;
  /** To be added to the season's `scores_by_day`, which loses the days that are over. */
  scores: { day: string; changed: number; over: readonly string[] };
  /** Shard documents with the opposite of what was folded of documents that stay in place. */
  reversals: ShardFields[];
}

/** Of these, what only a run's commit has, and not that of a ranking that was made anew. */
export type OfRun = "record" | "takenOver" | "scores" | "reversals";
