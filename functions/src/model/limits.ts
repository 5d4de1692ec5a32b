/**
 * Every limit of Firerank, each with its reason. Relations between them are checked when the module loads, so that a
 * changed number cannot silently break another one.
 *
 * Firestore's own numbers are from https://firebase.google.com/docs/firestore/quotas and
 * https://firebase.google.com/docs/firestore/storage-size.
 */

/**
 * Largest size of a score. Up to here a double holds every whole number, and no other number is read as one
 * of them. With 2^53 that would happen: JSON's 9007199254740993 becomes 9007199254740992 before any code can
 * see it, and so does a sum.
 */
export const scoreSizeMax = 2 ** 53 - 1;

/** Most tuples that the columns of a score can form: they are packed into whole numbers from 0 to `scoreSizeMax`. */
export const columnsRangeMax = scoreSizeMax + 1;

/** Writes in one commit: Firestore's old limit. The quotas page no longer names one, but Firestore's SDKs still do. */
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
 * Largest share that a merged row may hold of the players above it; a wider row is read again. Ranks stay within
 * 0.02 %. At ten million players a row has at most 2,000, so an exact rank costs two more reads.
 */
export const rowBoundMax = 0.0002;

/**
 * Index entries that one run reads again for rows that are too wide, with one query a row. The rest waits for the next
 * run.
 */
export const splitReadsMax = 250_000;

/** Pages of one generation: as many as one atomic commit can hold together with the deletions of shards. */
export const pagesMax = 256;

/** Rows of one generation; above it neighbouring rows are merged (see ranking/merge.ts). */
export const rowsMax = rowsPerPageMax * pagesMax;

/** Documents that a publication writes besides its pages and shards: top, season and run record. */
export const publicationExtraWrites = 3;

/** Events that a new top may come with: one about the players who entered, one about a new leader. */
export const topEventsMax = 2;

/**
 * Bytes of an event's players: enough for a thousand of the usual names and ids, and few compared with a commit's
 * pages.
 */
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
/**
 * Shortest time between two commits to one document that the bound above allows for: far faster than Firestore
 * sustains.
 */
export const shardCommitMsMin = 25;
/** How long a transaction waits for a lock: Firestore's limit. A commit may arrive this long after the end of its slot. */
export const lockDeadlineMs = 20_000;
/** Scores with changes in a shard document that is written in one go: by joining others, or to take changes back. */
export const changesPerShardMax = 6_000;
/**
 * Changes that a publication takes out of shard documents that it cannot delete because writers still use them:
 * about 4 MB of its commit.
 */
export const changesTakenMax = 100_000;
/**
 * Shard documents folded by one publication. Where more are pending, those of each slot are first joined into few
 * documents; see ranking/compact.ts.
 */
export const shardsPerPublicationMax = writesPerCommitMax - pagesMax - publicationExtraWrites - topEventsMax;

/**
 * Bytes of the shard documents that a publication deletes. Firestore counts a deleted document and its index entries
 * towards the 10 MiB of a commit. Pages take 2 MiB of them, and their index entries, old and new, about 3.
 */
export const shardBytesPerPublicationMax = 3 * 1_048_576;

/** By how much less the next attempt of a run deletes if Firestore refused a commit as too big, or took too long for it. */
export const refusedDivisor = 4;

/**
 * Generations of one run that may leave documents of their slot because Firestore refused a larger commit. The next run
 * goes on.
 */
export const overfullMax = 3;

/** Bytes of the shard documents that one commit joins: it writes at most as many again. */
export const shardBytesPerCompactionMax = 3 * 1_048_576;

/** Shard documents joined by one commit: it deletes them and writes at most as many. */
export const shardsPerCompactionMax = Math.floor(writesPerCommitMax / 2);
/** Commits that join shard documents, at the same time. */
export const compactionsAtOnce = 4;
/**
 * How long after its first read a transaction can still commit: Firestore ends it after 270 seconds. A slot that ended
 * longer than this before a run's read gets no more changes.
 */
export const lateCommitMsMax = 300_000;
/** Once in this many generations, a run also looks for shard documents of slots that ended long ago. */
export const stragglerGenerations = 60;
/** Shard documents decoded at once, so that a fold of full ones needs tens of megabytes and not a gigabyte. */
export const shardsPerReadMax = 20;

/** Players indexed by one transaction: each may need two increments in the one shard document it writes. */
export const playersPerIndexingMax = 200;

/** Players changed by one submit transaction: larger transactions hold more locks for longer. */
export const playersPerSubmitMax = 100;

/** The most bytes of a player's document that Firerank writes: metadata full of small maps, the longest ids and names. */
export const playerBytesMax = 16 * 1_024;

/** Submissions in one call of `submitScores`. */
export const submissionsPerCallMax = 500;

/** Submission ids remembered with a player. A retry is recognised while its id is among the last ones. */
export const submissionIdsMax = 20;
/**
 * Submissions of one player in one call: no more than are remembered. So a transaction that runs again after its commit
 * went through recognises each of them. (With a full call, it doesn't if another call of the player came in between.)
 */
export const submissionsPerPlayerMax = submissionIdsMax;

/**
 * How long after a season begins a submission to the season before may be sent again: the client package
 * retries for a few minutes.
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

/**
 * Bytes of a name in standings and events, which a trusted server may have written longer than a call may: one of a
 * megabyte would fit no document beside anything else.
 */
export const keptNameBytesMax = 1_500;

/** Bytes of a player's metadata as JSON. */
export const metadataBytesMax = 1_024;

/** Levels of maps and arrays in metadata; Firestore allows 20 in a whole document. */
export const metadataDepthMax = 10;

/** Entries of the top document. */
export const topSizeMax = 1_000;

/** Bytes of the top document. Above it, entries are kept without their metadata. */
export const topBytesMax = 900 * 1_024;

/** Players of one answer of `getPage`. */
export const pageLimitMax = 100;

/** Players above, and players below, in one answer of `getAround`. `getPage` is for more. */
export const aroundMax = 50;

/** Players of one call of `getPlayers`: as many as a list of friends shows. */
export const friendsMax = 100;

/** Players that `getPage` skips to reach an offset among equal scores. Each is billed as a read; a cursor skips none. */
export const skippedMax = 1_000;

/**
 * Players that `getPage` skips for callers who neither sign in nor send an App Check token: as many as their one page
 * may hold.
 */
export const nobodySkippedMax = pageLimitMax;

/**
 * Reads billed for counts while `getPage` looks for such a caller's offset in a merged row. In rows of 2,000 players,
 * 99 of 100 offsets need at most 35.
 */
export const nobodyCountReadsMax = 50;

/** Index entries that a count bills as one read: Firestore's price. */
export const countedPerRead = 1_000;

/**
 * Counting narrows down an offset in a merged row until this many players are left to skip: about the price of two or
 * three counts.
 */
export const skippedAim = 24;

/** Counts that look for an offset in a merged row: spread-out scores need 2, crowded ones about 6. */
export const narrowingsMax = 12;

/** Players with an equal score that `getAround` counts to find its first position: 20 reads. */
export const equalsCountedMax = 20_000;

/**
 * Characters of a cursor. It holds a player's id of 1,500 bytes, the longest that a trusted server may choose, even
 * one of quotation marks only.
 */
export const cursorCharactersMax = 5_000;

/** Attempts to find the pages of a list in one generation. A publication in between is rare. */
export const generationAttemptsMax = 3;

/** Columns of a score. Each needs at least two values, so 2^53 has room for 53 at most; nobody reads more than a few. */
export const columnsMax = 8;

/** Tiers of a board. */
export const tiersMax = 20;

/** Shards of a season when the board does not say how many score changes it expects. */
export const shardsDefault = 8;

/** Most shards of a season: a fold reads all of them in each interval, which has to stay affordable. */
export const shardsMax = 4_096;

/** Score changes a second that one shard document takes easily: half of the conservative limit of one write a second. */
export const writesPerShardPerSecond = 0.5;

/** How much wider the range of shards gets with each further attempt: three take it from 8 shards to the most. */
export const wideningFactor = 8;

/** Attempts of one indexing transaction. */
export const indexingAttemptsMax = 8;

/** Attempts of one ranking run to publish before it gives the task back to its queue. */
export const publishAttemptsMax = 8;

/**
 * `top_refresh_seconds` of a board that does not set it: how long changes of a top gather before one refresh shows them
 * all. To the eye this is live.
 */
export const topRefreshSecondsDefault = 2;

/** The shortest value that a board may set: Firestore takes about one write a second to a document. */
export const topRefreshSecondsMin = 1;

/**
 * The longest value, and the longest window that pacing reaches by itself. Boards that need fewer refreshes can
 * rely on the publications.
 */
export const topWindowMsMax = 60_000;

/**
 * How many times longer than the board's own a window gets while changes do not stop: 2,700 refreshes a day, not
 * 43,200.
 */
export const topWideningMax = 16;

/** How long new names and metadata gather, as one player can change them without end: at most 1,440 refreshes a day. */
export const topNamesWindowMs = 60_000;

/** How late a refresh may be written for the changes after it still to count as following it. */
export const topLateMsMax = 5_000;

/** Seconds for which an answer with the top may be cached: as long as a change at a quiet time waits for its refresh. */
export const topFreshSeconds = topRefreshSecondsDefault;

/** How long an instance remembers a top's gate: while players change, it reads it once in this time. */
export const topGateKeptMs = 10_000;

/** How long a refresh that was delivered too early waits: until the latest time for which any is requested. */
export const topRefreshWaitMsMax = topGateKeptMs + topWindowMsMax;

/** How long the task of a refresh may take: it waits, and reads a thousand players a few times. */
export const topRefreshTaskSecondsMax = 240;

/** Refreshes of one instance at once: each may hold a thousand players of a few KB. */
export const topRefreshConcurrency = 10;

/**
 * How often one attempt reads the top again because a refresh came before its commit. Refreshes are a second apart or
 * more.
 */
export const topOvertakenMax = 8;

/**
 * Seconds for which an answer about a closed season may be cached. A player who is removed disappears from all answers
 * within an hour: five minutes are left for the publication that follows, and for what instances remember.
 */
export const closedFreshSeconds = 55 * 60;

/** How long a definition or season is kept in memory. */
export const boardCacheMs = 60_000;
/**
 * The same on the emulators, where a changed board should show at once. In production, a read a second would cost too
 * much.
 */
export const boardCacheOnEmulatorMs = 1_000;

/** After this share of its time in memory a board is read again, while the old one still serves answers. */
export const boardRenewedAt = 5 / 6;

/** Boards that one instance keeps in memory: each is a definition and a season of a few KB. */
export const boardsKeptMax = 1_000;

/** Time zones whose days, weeks and months one instance remembers: nearly as many as there are. */
export const zonesKeptMax = 500;
/**
 * Days, weeks and months that an instance remembers for one zone: nine with each start of a week, also those before
 * and those of late events.
 */
export const stretchesKeptMax = 32;

/** Seasons whose gate one instance keeps in memory. */
export const topGatesKeptMax = 1_000;

/** Different reads that one instance shares at a time. It serves 80 requests, and few of them need more than one. */
export const sharedReadsMax = 1_000;

/**
 * How long a closed season's standings stay in memory. Only admins revise them, and an instance that sees a
 * revision reads them again.
 */
export const standingsKeptMs = 3_600_000;

/** Documents of standings whose numbers one instance keeps, taken from their summaries: 50 million players, about 5 MB. */
export const standingsIndexedMax = 50_000;

/** Bytes of standings that one instance keeps, and the same again for their metadata: about 80,000 players. */
export const standingsKeptBytes = 16 * 1_048_576;

/**
 * How old a pending read may be for other requests to wait for it too. An older one hangs, as in an instance without
 * CPU.
 */
export const sharedReadMsMax = 10_000;

/** How long after a change of its source a board can be rebuilt: by then every instance has read the definition again. */
export const sourceKnownMs = boardCacheMs + 5_000;
/** How long after a slot's end its run starts, so that commits pending at the end are included. */
export const slotGraceSeconds = 5;

/**
 * Rounds in which requests share the reads that find pages: each halves what is unknown of 256 pages. After them, each
 * request reads for itself.
 */
export const sharingRoundsMax = 10;

/**
 * Time between two reads for a newer generation that nobody has published: callers that claim to have seen one cost at
 * most 1 read a second for each season and instance.
 */
export const lookEveryMs = 1_000;

/**
 * The most seasons of which a submission may name the generations seen. It counts in four at most; an app names all that
 * it has seen lately, as it need not know which.
 */
export const seasonsSeenMax = 100;

/**
 * How far ahead of a page in memory a generation may be, and how much further for each second of the page's age. Each
 * publication writes page 0, and Firestore takes about one write a second to a document. So a higher number is made up,
 * or belongs to a ranking that started over.
 */
export const generationsAheadMax = 100;
export const generationsPerSecondMax = 10;

/** How long a page stays in memory once its next publication is overdue (an idle board publishes nothing). */
export const overduePageMs = 10_000;

/** How late an event may come: Cloud Functions retries a failed one for a day. */
export const lateEventMsMax = 24 * 3_600_000;

/** A season that is told to close stays open for as long as instances remember it, plus this time for their commits. */
export const closeMarginMs = 5_000;

/**
 * The end of a season is at least this far away when another calendar is to follow it: twice as long as instances
 * remember the calendar before.
 */
export const calendarNoticeMs = 2 * 60_000;

/** Seasons in one answer of `listSeasons`. */
export const seasonsPerAnswerMax = 100;

/** Boards, seasons and events that one answer of `exportPlayer` looks at, in one transaction. */
export const exportedMax = 100;
/** Seasons that it reads at once: each may have a top of a megabyte. */
export const exportedAtOnce = 8;
/** Bytes of such an answer, as JSON: a callable's may have 10 MB. */
export const exportBytesMax = 8_000_000;

/** Events from which one transaction removes a player: they fit a request even where each is as large as possible. */
export const eventsPerRedaction = 10;

/** How far `getResults` looks back by default: as long as events are kept. */
export const resultsSinceDays = 30;

/** Boards of one answer: each is a read, and a definition of a few hundred bytes. */
export const leaderboardsPerAnswerMax = 100;

/** Bytes of the body of a REST request: enough for a submission that writes all of its text as \uXXXX. */
export const restBodyBytesMax = 16 * 1_024;

/** How long a transaction of the server libraries can take: Firestore's limit. */
export const transactionMsMax = 270_000;

/** A season dozes off after this many intervals without a change, but not before an hour. */
export const idleIntervalsMax = 12;
export const idleMsMin = 3_600_000;

/** How long a season dozes before it sleeps: until every writer that remembers it awake has finished. */
export const dozeMs = 600_000;

/** How long after a publication its read time can still be read at: Firestore keeps an hour; this leaves a margin. */
export const readTimeKeptMs = 55 * 60_000;

/** How long a run record is kept: the `run_record_expires_at` of a TTL policy. */
export const runKeepDays = 30;

/** How long an event is kept: the `board_event_expires_at` of a TTL policy. A trigger is retried for a day. */
export const eventKeepDays = 30;

/** Players that a run of counts reads instead of counting: near the top, nearly each would be an interval of its own. */
export const countHeadMax = 512;

/**
 * Players that an interval of counts aims at where that costs nothing: a count bills 1 read for each 1,000, and scores
 * move.
 */
export const countWidth = 950;

/** The most rows that a ranking by counts aims at: above some 30 million players intervals are wider. */
export const countRowsMax = 32_768;

/** What the counts of a run may cost, as a multiple of: 1,024 reads, and one for each 1,000 players. */
export const countReadsAllowance = 1.15;

/** The least players that an interval of counts aims at, as a share of those above it. */
export const countEpsilonMin = 0.004;

/** From this many equal players on, the count behind them is at most a tenth of theirs. */
export const countCrowdMin = 10_000;

/** Equal players that one count may cover: a count that takes longer than a minute fails. More are counted in parts. */
export const crowdCountedMax = 250_000;
export const crowdPartPlayers = 25_000;

/** Counted generations between two attempts at finer thresholds. */
export const countRefineEvery = 16;

/** Rounds in which a run of counts splits intervals that are too wide. The rest waits for the next run. */
export const countRoundsMax = 6;

/**
 * Players or index entries in one count of an audit: Firestore ends a count after a minute, in which it
 * counts about three million.
 */
export const countedAtOnceMax = 250_000;

/** Intervals into which a run splits those that are too wide, in all its rounds. */
export const countSplitsMax = 16_384;

/** Intervals into which one is split at once. */
export const countPartsMax = 1_024;

/** Queries of a sample of players, and how many each reads: they find the first thresholds of a ranking. */
export const sampleQueries = 128;
export const samplePlayersPerQuery = 16;

/**
 * The number of players that a sample is assumed to stand for until they are counted: crowds in it are counted in
 * enough parts for this many.
 */
export const sampledPlayers = 10_000_000;

/** From this many players on, an interval that holds an eighth of all is split by a sample instead of evenly. */
export const sampledMin = 50_000;

/** Queries that one run sends at the same time. */
export const readConcurrencyMax = 32;

/**
 * How long after a season became due its run is requested again, if it is still due. By then the three attempts of a
 * failing run are over, and most slow runs. Less than two ticks of the schedule.
 */
export const runAskedAgainMs = 110_000;

/** How far beyond its interval a season's next run may lie with good reason: a rebuild delays it, and clocks differ. */
export const heldOffMsMax = 10 * 60_000;

/** Seasons that one scheduled run finds at once. */
export const dueSeasonsPerQuery = 500;

/** Documents of one query that walks a collection: enough for few round trips, few enough for little memory. */
export const documentsPerReadMax = 500;

/** Queries at the same time while all players or index entries are read: as many as one processor can decode. */
export const readersMax = 8;

/** A difference between a player and the index that is younger than this is on its way, not lost. */
export const inFlightMs = 60_000;

/** Examples of what an audit found wrong that its record shows. */
export const auditExamplesMax = 20;

/** Players that a repair or full audit looks at within the call that requested it. For more, it becomes a task. */
export const repairInlinePlayersMax = 50_000;

/** How long one step of a sweep takes before the next is enqueued. A step that dies is repeated. */
export const sweepStepMs = 5 * 60_000;

/** How often a running repair stores its progress. */
export const progressEveryMs = 10_000;

/** How long the schedule waits for a rebuild that shows no progress before it ranks the season again. */
export const rebuildPauseMs = 5 * 60_000;

/** How often a rebuild reads all index entries before it gives up; it starts over when a run has published meanwhile. */
export const rebuildAttemptsMax = 5;

/** How long a task may take: the most that Cloud Tasks waits for. */
export const taskSecondsMax = 1_800;

/** How far back the daily audit looks for publications, so that it makes up for a day that was missed. */
export const auditWindowMs = 3 * 86_400_000;

/** Transactions that an import runs at the same time: enough to keep an emulator busy, few enough to hold little memory. */
export const importLanes = 8;

/** Batches that an import puts into one shard document: 15 × 200 players with an old and a new score are about 200 KB. */
export const importBatchesPerShard = 15;

/** Players a second at which an import begins, and how it may grow: Firestore's "500/50/5" rule for new collections. */
export const importPlayersPerSecond = 500;
export const importGrowth = 1.5;
export const importGrowthMs = 5 * 60_000;

/**
 * Characters of one record of an imported file: far more than a name and 1 KB of metadata need, so that an unclosed
 * quote does not fill the memory.
 */
export const recordCharactersMax = 65_536;

/** Bad lines after which an import that will not start stops looking for more. */
export const badLinesMax = 100;

/** Players of one document of the standings: this many ids, names and metadata fit. */
export const standingsPerDocument = 1_000;

/**
 * Bytes of the players in such a document, and of their metadata in the one beside it. Where a trusted server's
 * players are larger, fewer fit.
 */
export const standingsBytesMax = 900 * 1_024;
export const standingsMetadataBytesMax = 1_030_000;

/** Documents of the standings that are read at once: some 8 MB. */
export const standingsReadAtOnce = 20;

/**
 * How long after a season ended or changed its status nothing acts on its old state any more: an instance remembers it
 * for a minute, and whatever it began then has been committed by the end of the rest.
 */
export const endWaitMs = boardCacheMs + lateCommitMsMax;
/** The same on the emulators, where an instance remembers for a second. */
export const endWaitOnEmulatorMs = 3_000;

/** How long after a submission arrived its transaction may begin: all that are let in are committed within `endWaitMs`. */
export const submitBeginsMsMax = 60_000;

/**
 * How long after a publication of a closed season the revisions that follow wait to be published together. With the
 * minute of the schedule it is a minute and a half at most.
 */
export const revisionsGatherMs = 30_000;

/**
 * How far the clocks of two servers may be apart at the end of a season: one that is behind lets submissions in for so
 * much longer, one that is ahead begins to close so much sooner. Those of Cloud Functions agree within milliseconds.
 */
export const clocksApartMsMax = 30_000;

/** How long one step of a season's end takes before the next is enqueued. */
export const endStepMs = 5 * 60_000;

/** How long the schedule waits for a step that shows no progress before it requests another. */
export const endPauseMs = 5 * 60_000;

/** How long after a season's end failed it is retried. */
export const endRetryMs = 10 * 60_000;

/** The longest such wait. It doubles each time for a closing whose standings and pages do not agree. */
export const endRetryMsMax = 24 * 3_600_000;

/** How often the clock of the emulators looks for what is due, in place of the schedules. */
export const emulatorBeatMs = 1_000;
/** How long a process without a beat keeps the lease of that clock: then another one takes over. */
export const emulatorLeaseMs = 4 * emulatorBeatMs;
/** How long after a slot's end its run is requested there. */
export const emulatorSlotGraceMs = 250;

/** How often a closing starts over because standings and pages differ, before it fails and is retried later. */
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
  ["a season's end waits for everything that began before it", endWaitMs > boardCacheMs + transactionMsMax],
  [
    "a season's end waits for its submissions",
    endWaitMs >= submitBeginsMsMax + transactionMsMax + clocksApartMsMax,
  ],
  [
    "on the emulators, a season's end waits until no instance remembers it as open",
    endWaitOnEmulatorMs > boardCacheOnEmulatorMs + 1_000,
  ],
  [
    "a publication fits one commit",
    pagesMax + publicationExtraWrites + topEventsMax + shardsPerPublicationMax <= writesPerCommitMax,
  ],
  ["a publication makes progress", shardsPerPublicationMax >= shardsPerReadMax],
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
    "the changes of a run fit a commit beside its pages",
    changesTakenMax * shardChangeBytesMax <= commitBytesMax / 2,
  ],
  [
    "a publication's pages, deletions and reversed changes fit a commit",
    shardBytesPerPublicationMax + changesTakenMax * shardChangeBytesMax + rowsMax * 4 * 8 <= commitBytesMax,
  ],
  [
    "joined shard documents and those that they replace fit a commit",
    2 * shardBytesPerCompactionMax <= commitBytesMax,
  ],
  ["runs wait for late commits", lateCommitMsMax > transactionMsMax],
  ["indexing fits one document's transforms", 2 * playersPerIndexingMax + 2 <= transformsPerDocumentMax],
  ["indexing fits one commit", 2 * playersPerIndexingMax + 1 <= writesPerCommitMax],
  ["no instance remembers a dormant season as active", dozeMs > boardCacheMs + transactionMsMax + 60_000],
  ["a removal shows within an hour", closedFreshSeconds * 1_000 + boardCacheMs + 4 * 60_000 <= 3_600_000],
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
