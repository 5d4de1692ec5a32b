/**
 * Every limit of Firerank, each with its reason. Relations between them are checked where they are defined,
 * when the module loads, so that a changed number cannot break another one in silence.
 *
 * Firestore's own numbers are from https://firebase.google.com/docs/firestore/quotas and
 * https://firebase.google.com/docs/firestore/storage-size.
 */

/**
 * Largest size of a score: up to here a double holds every whole number, and is what no other one is read as. 2^53
 * would be: JSON's 9007199254740993 becomes 9007199254740992 before anybody can see it, and so does a sum.
 */
export const scoreSizeMax = 2 ** 53 - 1;

/** Most tuples that the columns of a score can form: they are packed into whole numbers from 0 to `scoreSizeMax`. */
export const columnsRangeMax = scoreSizeMax + 1;

/** Writes in one commit. Firestore's old limit; the quotas page no longer names one, its own SDKs still do. */
export const writesPerCommitMax = 500;

/** Field transforms (`increment`) on one document in one commit: Firestore's limit. */
export const transformsPerDocumentMax = 500;

/** Bytes of one document: Firestore's limit. */
export const documentBytesMax = 1_048_576;

/** Bytes of one commit: Firestore's limit for a request. */
export const commitBytesMax = 10 * 1_048_576;

/** Rows of one page: about 4 KB, so that sending a page costs no more than reading it. */
export const rowsPerPageMax = 256;

/**
 * Largest share that a merged row may hold of the players above it before it is read again. Ranks stay within 0.02 %,
 * and at ten million players a row has at most 2,000, so that an exact rank costs two reads more.
 */
export const rowBoundMax = 0.0002;

/** Index entries that one run reads again for rows that are too wide, one query a row; the rest is for the next run. */
export const splitReadsMax = 250_000;

/** Pages of one generation: what one atomic commit can hold beside the shards that it deletes. */
export const pagesMax = 256;

/** Rows of one generation; above it neighbouring rows are merged (see ranking/merge.ts). */
export const rowsMax = rowsPerPageMax * pagesMax;

/** Documents a publication writes beside its pages and shards: top, season and run record. */
export const publicationExtraWrites = 3;

/** Events that a new top may come with: of those who entered it, and of another leader. */
export const topEventsMax = 2;

/** Bytes of an event's players: a thousand of the usual names and ids, and little beside the pages of a commit. */
export const eventBytesMax = 400_000;

/**
 * Length of a slot. As short as the shortest ranking interval, so that a run always finds slots that have ended, and
 * short enough for a shard document to stay small: see `shardBytesMax`.
 */
export const slotMs = 60_000;
/** Length of a slot on the emulators, where an interval may be a few seconds. */
export const slotOnEmulatorMs = 1_000;
/** Bytes of a shard document: a fold decodes 20 of them at once. */
export const shardBytesMax = 256 * 1_024;
/**
 * Bytes that one change may add to a shard document: the longest text of a score (25 characters, such as
 * "-1.2345678901234567e-100"), its end, and 8 for the count. A changed player is two of them.
 */
export const shardChangeBytesMax = 25 + 1 + 8;
/** Shortest time from one commit to a document to the next that the bound above allows for: far above what one sustains. */
export const shardCommitMsMin = 25;
/** How long a transaction waits for a lock: Firestore's limit. A commit may come so long after its slot's end. */
export const lockDeadlineMs = 20_000;
/** Scores with changes in one shard document that is written at once: joined ones, and those that take back. */
export const changesPerShardMax = 6_000;
/**
 * Changes that a publication takes from shard documents which it cannot delete, as writers are still at them: about
 * 4 MB of its commit.
 */
export const changesTakenMax = 100_000;
/**
 * Shard documents folded by one publication. Where more are pending, those of each slot are first joined into few
 * documents; see ranking/compact.ts.
 */
export const shardsPerPublicationMax = writesPerCommitMax - pagesMax - publicationExtraWrites - topEventsMax;

/** Shard documents joined by one commit: it deletes them and writes no more than as many. */
export const shardsPerCompactionMax = Math.floor(writesPerCommitMax / 2);
/** Commits that join shard documents under way at once. */
export const compactionsAtOnce = 4;
/**
 * How long after its first read a transaction can still commit: Firestore ends it after 270 seconds. A slot that ended
 * earlier than this before a run's read gets no more changes.
 */
export const lateCommitMsMax = 300_000;
/** Every so many generations a run also looks for shard documents of slots that ended long ago. */
export const stragglerGenerations = 60;
/** Shard documents decoded at once, so that a fold of full ones needs tens of megabytes and not a gigabyte. */
export const shardsPerReadMax = 20;

/** Players indexed by one transaction: each may need two increments in the one shard document it writes. */
export const playersPerIndexingMax = 200;

/** Players changed by one submit transaction: larger transactions hold more locks for longer. */
export const playersPerSubmitMax = 100;

/** Bytes of a player's document as Firerank writes it, at the very most: metadata full of small maps, the longest ids and names. */
export const playerBytesMax = 16 * 1_024;

/** Submissions in one call of `submitScores`. */
export const submissionsPerCallMax = 500;

/** Submission ids remembered with a player; a retry is recognised as long as its id is among the last ones. */
export const submissionIdsMax = 20;
/**
 * Submissions of one player in one call: no more than are remembered, so that a transaction which runs again after
 * its commit went through knows each of them. (Of a full call, not if another of the player's came in between.)
 */
export const submissionsPerPlayerMax = submissionIdsMax;

/**
 * How long after the beginning of a season a submission to the season before may be sent again: the client package tries
 * for a few minutes.
 */
export const repeatedAfterMsMax = 15 * 60_000;

/** Characters of a submission id: room for a UUID or a hash. */
export const submissionIdCharactersMax = 64;

/** Bytes of a document's id: Firestore's limit. */
export const documentIdBytesMax = 1_500;

/** Characters of a player id that a call may add: the longest uid of Firebase Auth. */
export const playerIdCharactersMax = 128;

/** Characters of a leaderboard's, a season's or a column's id. */
export const idCharactersMax = 64;

/** Characters of a display name. */
export const displayNameCharactersMax = 64;

/** Bytes of a player's metadata as JSON. */
export const metadataBytesMax = 1_024;

/** Levels of maps and arrays in metadata; Firestore allows 20 in a whole document. */
export const metadataDepthMax = 10;

/** Entries of the top document. */
export const topSizeMax = 1_000;

/** Bytes of the top document; beyond it entries are kept without their metadata. */
export const topBytesMax = 900 * 1_024;

/** Players of one answer of `getPage`. */
export const pageLimitMax = 100;

/** Players above, and players below, in one answer of `getAround`: more is a page. */
export const aroundMax = 50;

/** Players of one call of `getPlayers`: what a list of friends shows. */
export const friendsMax = 100;

/** Players that `getPage` skips to reach an offset among equals: each is billed as a read; a cursor skips none. */
export const skippedMax = 1_000;

/** Players that `getPage` skips for callers who neither sign in nor send an App Check token: what their one page may hold. */
export const nobodySkippedMax = pageLimitMax;

/** Reads billed for counts while `getPage` looks for such a caller's offset in a merged row: of rows of 2,000, 99 in 100 need 35. */
export const nobodyCountReadsMax = 50;

/** Index entries that a count bills as one read: Firestore's price. */
export const countedPerRead = 1_000;

/** Players left to skip in a merged row at which counting its better ones stops: about what two or three counts cost. */
export const skippedAim = 24;

/** Counts that look for an offset in a merged row: scores that are spread out need 2, crowded ones about 6. */
export const narrowingsMax = 12;

/** Equals that `getAround` counts to find its first position: 20 reads. */
export const equalsCountedMax = 20_000;

/** Characters of a cursor: those of a player's id of 1,500 bytes, the longest that a trusted server may choose, even in quotation marks. */
export const cursorCharactersMax = 5_000;

/** Attempts to find the pages of one list in one generation; another publication in between is rare. */
export const generationAttemptsMax = 3;

/** Columns of a score. Each needs two different values, so 2^53 has room for 53 at most; nobody reads more than a few. */
export const columnsMax = 8;

/** Tiers of a board. */
export const tiersMax = 20;

/** Shards of a season when the board does not say how many score changes it expects. */
export const shardsDefault = 8;

/** Most shards of a season: what one fold reads per interval has to stay affordable. */
export const shardsMax = 4_096;

/** Score changes a second that one shard document takes without strain: half the conservative one write a second. */
export const writesPerShardPerSecond = 0.5;

/** How much wider the range of shards is at each further attempt: from 8 shards to the most in three. */
export const wideningFactor = 8;

/** Attempts of one indexing transaction. */
export const indexingAttemptsMax = 8;

/** Attempts of one ranking run to publish before it gives the task back to its queue. */
export const publishAttemptsMax = 8;

/** `top_refresh_seconds` of a board that does not say: how long the changes of a top gather before one refresh shows them all. Live to the eye. */
export const topRefreshSecondsDefault = 2;

/** The shortest that a board may ask for: Firestore takes about one write a second to a document. */
export const topRefreshSecondsMin = 1;

/** The longest, and the widest that windows become by themselves: who wants it rarer is served by the publications. */
export const topWindowMsMax = 60_000;

/** How much wider than the board's own a window becomes while changes do not stop: 2,700 refreshes a day instead of 43,200. */
export const topWideningMax = 16;

/** How long new names and metadata gather, which one player can change without end: 1,440 refreshes a day at most. */
export const topNamesWindowMs = 60_000;

/** How much later than due a refresh may be written for the changes after it to count as following it. */
export const topLateMsMax = 5_000;

/** How long an answer with the top may be kept, in seconds: as long as a change at a quiet time waits for its refresh. */
export const topFreshSeconds = topRefreshSecondsDefault;

/** How long an instance remembers a top's gate: 1 read in so long while players change. */
export const topGateKeptMs = 10_000;

/** How long a refresh that was delivered too early waits: until the latest that any is asked for. */
export const topRefreshWaitMsMax = topGateKeptMs + topWindowMsMax;

/** How long the task of a refresh may take: waiting, and reading a thousand players a few times over. */
export const topRefreshTaskSecondsMax = 240;

/** Refreshes of one instance at once: each may hold a thousand players of a few KB. */
export const topRefreshConcurrency = 10;

/** Times that one attempt reads the top again because a refresh came before its commit: refreshes are a second apart or more. */
export const topOvertakenMax = 8;

/**
 * How long an answer about a closed season may be kept, in seconds. Whoever is taken out of it is out of all answers
 * within an hour: five minutes are left for the publication that follows, and for what instances remember.
 */
export const closedFreshSeconds = 55 * 60;

/** How long a definition or season is kept in memory. */
export const boardCacheMs = 60_000;
/** The same on the emulators, where a changed board should show at once; in production a read a second would cost more than it is worth. */
export const boardCacheOnEmulatorMs = 1_000;

/** The share of its time in memory after which a board is read again while it is still answered with. */
export const boardRenewedAt = 5 / 6;

/** Boards kept in memory by one instance: each a definition and a season of a few KB. */
export const boardsKeptMax = 1_000;

/** Time zones whose days, weeks and months one instance remembers: nearly as many as there are. */
export const zonesKeptMax = 500;
/** Days, weeks and months that it remembers of one: with each start of a week nine, the ones before and those of late events. */
export const stretchesKeptMax = 32;

/** Seasons whose gate one instance keeps in memory. */
export const topGatesKeptMax = 1_000;

/** Different reads that one instance shares at a time; it serves 80 requests, few of which need more than one. */
export const sharedReadsMax = 1_000;

/** How long a closed season's standings stay in memory: they are revised by admins alone, and renewed when that is seen. */
export const standingsKeptMs = 3_600_000;

/** Documents of standings whose numbers one instance keeps from their summaries: of 50 million players, about 5 MB. */
export const standingsIndexedMax = 50_000;

/** Bytes of standings that one instance keeps, and of their metadata as much: about 80,000 players. */
export const standingsKeptBytes = 16 * 1_048_576;

/** How old a read under way may be to be waited for by others too: an older one hung, as in an instance without CPU. */
export const sharedReadMsMax = 10_000;

/** How long after a board's source was changed it can be rebuilt: when every instance has read the definition again. */
export const sourceKnownMs = boardCacheMs + 5_000;
/** How long after a slot's end its run starts, so that commits under way at the end are in. */
export const slotGraceSeconds = 5;

/** Rounds in which pages are found by reads that are shared: each halves what is unknown of 256 pages; then each reads for itself. */
export const sharingRoundsMax = 10;

/** Time between two reads for a newer generation that nobody has published: whoever claims to have seen one costs 1 read a second, a season and instance. */
export const lookEveryMs = 1_000;

/**
 * How far ahead of a page in memory a generation may be, and by how much more for each second of the page's age. Each
 * publication writes page 0 again, and Firestore takes about one write a second to a document; a higher number is made
 * up, or of a ranking that began again.
 */
export const generationsAheadMax = 100;
export const generationsPerSecondMax = 10;

/** How long a page stays in memory once its next publication is overdue (an idle board publishes nothing). */
export const overduePageMs = 10_000;

/** How late an event may come: Cloud Functions tries a failed one again for a day. */
export const lateEventMsMax = 24 * 3_600_000;

/** How much longer than instances remember a season it stays open when it is told to close: a commit takes its time. */
export const closeMarginMs = 5_000;

/**
 * How far away the end of a season is at least when another calendar is to follow it: twice as long as instances
 * remember the calendar before.
 */
export const calendarNoticeMs = 2 * 60_000;

/** Seasons in one answer of `listSeasons`. */
export const seasonsPerAnswerMax = 100;

/** Events that one transaction takes a player out of: as many as fit a request where each is as large as can be. */
export const eventsPerRedaction = 10;

/** How far `getResults` looks back where nothing is said: as long as events are kept. */
export const resultsSinceDays = 30;

/** Boards of one answer: each is a read, and a definition of a few hundred bytes. */
export const leaderboardsPerAnswerMax = 100;

/** Bytes of the body of a REST request: a submission, even where all of its text is written as \uXXXX. */
export const restBodyBytesMax = 16 * 1_024;

/** How long a transaction of the server libraries can last: Firestore's limit. */
export const transactionMsMax = 270_000;

/** A season dozes off after so many intervals without a change, and not before an hour. */
export const idleIntervalsMax = 12;
export const idleMsMin = 3_600_000;

/** How long a season dozes before it sleeps: until every writer that remembers it awake has finished. */
export const dozeMs = 600_000;

/** How long after a publication its read time can still be read at: Firestore keeps an hour, less a margin. */
export const readTimeKeptMs = 55 * 60_000;

/** How long a run record is kept: the `run_record_expires_at` of a TTL policy. */
export const runKeepDays = 30;

/** How long an event is kept: the `board_event_expires_at` of a TTL policy. A trigger is tried again for a day. */
export const eventKeepDays = 30;

/** Players that a run of counts reads instead of counting them: near the top nearly each would be an interval of its own. */
export const countHeadMax = 512;

/** Players that an interval of counts is aimed at where that is free: a count bills 1 read for each 1,000, and scores move. */
export const countWidth = 950;

/** Rows that a ranking by counts aims at, at the very most: above some 30 million players intervals are wider. */
export const countRowsMax = 32_768;

/** What the counts of a run may cost, as a multiple of 1,024 reads and one for each 1,000 players. */
export const countReadsAllowance = 1.15;

/** Smallest share of the players above it at which an interval of counts is aimed. */
export const countEpsilonMin = 0.004;

/** Equal players from whom on the count behind them is a tenth of theirs at most. */
export const countCrowdMin = 10_000;

/** Equal players that one count may pass: a count that takes longer than a minute fails. Above it, parts of so many. */
export const crowdCountedMax = 250_000;
export const crowdPartPlayers = 25_000;

/** Counted generations from one try at finer thresholds to the next. */
export const countRefineEvery = 16;

/** Rounds in which a run of counts splits intervals that are too wide; what is left is for the next run. */
export const countRoundsMax = 6;

/**
 * Players or index entries of one count of an audit: Firestore ends a count after a minute, in which it gets through about
 * three million.
 */
export const countedAtOnceMax = 250_000;

/** Intervals into which a run splits those that are too wide, in all its rounds. */
export const countSplitsMax = 16_384;

/** Intervals into which one is split at once. */
export const countPartsMax = 1_024;

/** Queries of a sample of players, and how many each reads: they find the first thresholds of a ranking. */
export const sampleQueries = 128;
export const samplePlayersPerQuery = 16;

/** Players that a sample is taken to stand for until they are counted: crowds in it are counted in parts enough for so many. */
export const sampledPlayers = 10_000_000;

/** Players of an interval that is split by a sample rather than evenly, if it holds an eighth of all. */
export const sampledMin = 50_000;

/** Queries that one run has under way at once. */
export const readConcurrencyMax = 32;

/**
 * How long after a season became due its run is asked for again, if it is still due: the three attempts of a run that
 * fails are over by then, and most runs that take long. Less than two ticks of the schedule.
 */
export const runAskedAgainMs = 110_000;

/** How far beyond its interval a season's next run may lie for a reason: a rebuild holds it off, and clocks differ. */
export const heldOffMsMax = 10 * 60_000;

/** Seasons that one scheduled run finds at once. */
export const dueSeasonsPerQuery = 500;

/** Documents of one query that walks a collection: large enough for few round trips, small enough for little memory. */
export const documentsPerReadMax = 500;

/** Queries at once while all players or index entries are read: what one processor can decode. */
export const readersMax = 8;

/** A difference between a player and the index that is younger than this is on its way, not lost. */
export const inFlightMs = 60_000;

/** Examples of what an audit found wrong that its record shows. */
export const auditExamplesMax = 20;

/** Players that a repair or full audit looks at within the call that asked for it; a larger season's is a task's work. */
export const repairInlinePlayersMax = 50_000;

/** How long one step of a sweep lasts before the next is enqueued: a step that dies is done again. */
export const sweepStepMs = 5 * 60_000;

/** How often a repair under way writes down how far it is. */
export const progressEveryMs = 10_000;

/** How long the schedule waits for a rebuild that shows no progress before it ranks the season again. */
export const rebuildPauseMs = 5 * 60_000;

/** Times that a rebuild reads all index entries before it gives up, each because a run published meanwhile. */
export const rebuildAttemptsMax = 5;

/** How long a task may take: the most that Cloud Tasks waits for. */
export const taskSecondsMax = 1_800;

/** How far back the daily audit looks for publications; a day missed is made up for. */
export const auditWindowMs = 3 * 86_400_000;

/** Transactions that an import has under way at once: enough to keep an emulator busy, few enough to hold little memory. */
export const importLanes = 8;

/** Batches that an import puts into one shard document: 15 × 200 players with an old and a new score are about 200 KB. */
export const importBatchesPerShard = 15;

/** Players a second that an import begins with, and how it may grow: Firestore's "500/50/5" rule for new collections. */
export const importPlayersPerSecond = 500;
export const importGrowth = 1.5;
export const importGrowthMs = 5 * 60_000;

/** Characters of one record of an imported file: far above what a name and 1 KB of metadata need, so that an unclosed quote does not fill the memory. */
export const recordCharactersMax = 65_536;

/** Bad lines after which an import that will not begin stops looking for more. */
export const badLinesMax = 100;

/** Players of one document of the standings: the ids, names and metadata of so many fit. */
export const standingsPerDocument = 1_000;

/** Bytes of the players of such a document, and of their metadata in the one beside it: fewer players where a trusted server's are larger. */
export const standingsBytesMax = 900 * 1_024;
export const standingsMetadataBytesMax = 1_030_000;

/** Documents of the standings that are read at once: some 8 MB. */
export const standingsReadAtOnce = 20;

/**
 * How long after a season ended, or changed its status, nobody acts on what it was before: an instance remembers it for a
 * minute, and whatever it began then has been committed by the end of the rest.
 */
export const endWaitMs = boardCacheMs + lateCommitMsMax;
/** The same on the emulators, where an instance remembers for a second. */
export const endWaitOnEmulatorMs = 3_000;

/** How long after a submission came its transaction may begin: whatever is let in is committed before `endWaitMs` is over. */
export const submitBeginsMsMax = 60_000;

/** How long one step of a season's end lasts before the next is enqueued. */
export const endStepMs = 5 * 60_000;

/** How long the schedule waits for a step that shows no progress before it asks for another. */
export const endPauseMs = 5 * 60_000;

/** How long after a season's end failed it is tried again. */
export const endRetryMs = 10 * 60_000;

/** The longest such wait, twice as long each time, of a closing whose standings and pages do not agree. */
export const endRetryMsMax = 24 * 3_600_000;

/** Times that a closing begins again because standings and pages differ, before it fails and is tried later. */
export const closingRoundsMax = 3;

/** Documents deleted by one commit, and such commits at once. */
export const deletesPerCommit = writesPerCommitMax;
export const deletionsAtOnce = 4;

const relations: [string, boolean][] = [
  [
    "the metadata of a full document of the standings fits",
    standingsPerDocument * (metadataBytesMax + 1) <= standingsMetadataBytesMax &&
      standingsMetadataBytesMax + 16 * 1_024 < documentBytesMax,
  ],
  ["the players of a document of the standings fit beside its name", standingsBytesMax < documentBytesMax],
  ["a season's end outlasts what was begun before it", endWaitMs > boardCacheMs + transactionMsMax],
  ["a season's end outlasts its submissions", endWaitMs > submitBeginsMsMax + transactionMsMax],
  [
    "… and on the emulators what is remembered, and a second more",
    endWaitOnEmulatorMs > boardCacheOnEmulatorMs + 1_000,
  ],
  [
    "a publication fits one commit",
    pagesMax + publicationExtraWrites + topEventsMax + shardsPerPublicationMax <= writesPerCommitMax,
  ],
  ["a publication makes headway", shardsPerPublicationMax >= shardsPerReadMax],
  [
    "a shard document stays small at any rate of commits",
    ((slotMs + lockDeadlineMs) / shardCommitMsMin) * 2 * shardChangeBytesMax <= shardBytesMax,
  ],
  [
    "a shard document of an import stays small",
    importBatchesPerShard * playersPerIndexingMax * 2 * shardChangeBytesMax <= shardBytesMax,
  ],
  ["a joined shard document stays small", changesPerShardMax * shardChangeBytesMax <= shardBytesMax],
  ["joining fits one commit", 2 * shardsPerCompactionMax <= writesPerCommitMax],
  [
    "what is taken fits a commit beside the pages",
    changesTakenMax * shardChangeBytesMax <= commitBytesMax / 2,
  ],
  ["a late commit is awaited", lateCommitMsMax > transactionMsMax],
  ["indexing fits one document's transforms", 2 * playersPerIndexingMax + 2 <= transformsPerDocumentMax],
  ["indexing fits one commit", 2 * playersPerIndexingMax + 1 <= writesPerCommitMax],
  ["nobody remembers a sleeping season awake", dozeMs > boardCacheMs + transactionMsMax + 60_000],
  ["a removal shows within the hour", closedFreshSeconds * 1_000 + boardCacheMs + 4 * 60_000 <= 3_600_000],
  ["a board is renewed before it is too old", boardRenewedAt > 0 && boardRenewedAt < 1],
  ["a refresh can wait until it is due", 3 * topRefreshWaitMsMax <= topRefreshTaskSecondsMax * 1_000],
  ["the top document fits", topBytesMax < documentBytesMax],
  ["an event fits", 2 * eventBytesMax < documentBytesMax],
  ["a submit transaction fits one commit", playersPerSubmitMax <= writesPerCommitMax],
  ["a submit transaction fits one request", playersPerSubmitMax * playerBytesMax <= commitBytesMax],
];
/* @__PURE__ -- the client's bundle needs a few of these numbers and not this check. */ assertAll(relations);

function assertAll(list: readonly [relation: string, holds: boolean][]): void {
  for (const [relation, holds] of list) {
    if (!holds) throw new Error(`limits.ts contradicts itself: "${relation}" no longer holds`);
  }
}
