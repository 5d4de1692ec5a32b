/**
 * The limits that users meet, that several files share, or that depend on each other, each with its reason. A number
 * that only one file needs stands in that file. limits.test.ts checks the relations between the limits.
 *
 * Firestore's own numbers are from https://firebase.google.com/docs/firestore/quotas and
 * https://firebase.google.com/docs/firestore/storage-size.
 */

/**
 * Largest size of a score. Up to this size a double holds every whole number, and no other number is read as one of
 * these. 2^53 would be too large: JSON's 9007199254740993 is read as 9007199254740992, and a sum is rounded in the same
 * way.
 */
export const scoreSizeMax = 2 ** 53 - 1;
/** Most digits after the point that a board may ask for: 15 digits are exact, so six are left before the point. */
export const decimalsMax = 9;
/** Most tuples that the columns of a score can form: they are packed into whole numbers from 0 to `scoreSizeMax`. */
export const columnsRangeMax = scoreSizeMax + 1;
/** Columns of a score. 2^53 would have room for 53 columns of two values, but nobody reads more than a few. */
export const columnsMax = 8;
/** Characters of a leaderboard's or a season's id, and of the name of a column or a segment. */
export const idCharactersMax = 64;
/** Segments of a board. A mark names a value of each segment, so this bounds the key of a change. */
export const segmentsMax = 4;
/** Values that are ranked of each segment, and of all segments together that the board no longer has. */
export const valuesRankedMax = 1_000;
export const segmentValueCharactersMax = 32;
/** Values that a definition may list for one segment. */
export const segmentValuesMax = 500;
/** How many of a team's best players may count: a run may have to read them. */
export const teamBestMax = 100;
export const tiersMax = 20;
/** Characters of the reason why a player is hidden or banned: a sentence or two for other moderators. */
export const reasonCharactersMax = 500;
/** Seats of a group of a league. From five on somebody goes up; more than a hundred nobody knows by name. */
export const leagueSizeMin = 5;
export const leagueSizeMax = 100;
/** Tiers of a league: the newest groups of all of them are found by one query, which takes 30 values. */
export const leagueTiersMax = 20;
/** Boards of a template that players may open in a day of UTC, unless it says otherwise: an app can make names up. */
export const newBoardsPerDayDefault = 1_000;

/** Bytes of one document: Firestore's limit. */
export const documentBytesMax = 1_048_576;
/** Levels of maps and arrays in a document, and bytes of a field's name: Firestore's limits. */
export const documentDepthMax = 20;
export const fieldNameBytesMax = 1_500;
/** Bytes of one commit: Firestore's limit for a request. */
export const commitBytesMax = 10 * 1_048_576;
/** Field transforms (`increment`) on one document in one commit: Firestore's limit. */
export const transformsPerDocumentMax = 500;
/** How long a transaction of the server libraries can take: Firestore's limit. */
export const transactionMsMax = 270_000;
/**
 * How long after its first read a transaction may still commit, with a margin. A slot that ended longer than this
 * before a run's read gets no more changes.
 */
export const lateCommitMsMax = 300_000;
/** How late an event may come: Cloud Functions retries a failed one for a day. */
export const lateEventMsMax = 24 * 3_600_000;
/**
 * How long after a publication documents can be read as of its read time: Firestore keeps an hour; this leaves a
 * margin.
 */
export const readTimeKeptMs = 55 * 60_000;
/** How long a task may take: the most that Cloud Tasks waits for. */
export const taskSecondsMax = 1_800;
/** Bytes of the body of a REST request: enough for a submission that writes all of its text as \uXXXX. */
export const restBodyBytesMax = 16 * 1_024;

/** Small documents in one commit, such as deletions: more would hold more locks for longer. */
export const writesPerCommitMax = 500;
/** Documents of one query that walks a collection: enough for few round trips, few enough for little memory. */
export const documentsPerReadMax = 500;
/** Queries that one run sends at the same time. */
export const readConcurrencyMax = 32;

/**
 * Rows of a generation that has one page, of about 16 KB: what a run of a small board reads and writes costs more than
 * what few devices are sent.
 */
export const onePageRowsMax = 1_000;
/** Rows of each of several pages: about 4 KB, so that sending a page costs no more than reading it. */
export const rowsPerPageMax = 256;
/** Pages of one generation: as many as one commit can hold together with the deletions of shards. */
export const pagesMax = 256;
/** Rows of one generation. If there are more scores, neighbouring rows are merged (see ranking/merge.ts). */
export const rowsMax = rowsPerPageMax * pagesMax;
/** Rows of all segments of a generation together: as many fit its commit beside the others. */
export const segmentRowsMax = rowsMax / 2;
/**
 * The largest merged row of a segment to count when the caller did not ask for `exact`; the count costs 1 read. In a
 * larger row the published place is returned.
 */
export const segmentRowCountedMax = 1_000;
/**
 * How many players a merged row may have, as a share of the players above the row; a wider row is read again. So
 * published ranks are within 0.02 %. At ten million players a row has at most 2,000, so an exact rank costs two more
 * reads.
 */
export const rowBoundMax = 0.0002;
/** Players that one run reads again because their rows are too wide. */
export const splitReadsMax = 250_000;
/** Parts into which a wide row is divided at once if it has more players than that; each part is counted. */
export const partsPerDivision = 32;

/**
 * Length of a slot. A run publishes whole slots. Ten seconds of 7,000 changes a second are 140,000 scores, which fit
 * one commit; a minute of them would not. Shorter slots make more shard documents.
 */
export const slotMs = 10_000;
/** Length of a slot on the emulators, where an interval may be a few seconds. */
export const slotOnEmulatorMs = 1_000;
/** How long after a slot's end its run starts, so that commits pending at the end are included. */
export const slotGraceSeconds = 5;
/** Bytes of a shard document: a fold decodes 20 of them at once. */
export const shardBytesMax = 256 * 1_024;
/**
 * Bytes that one change may add to a shard document: the longest text of a score (25 characters, such as
 * "-1.2345678901234567e-100"), the texts of its segments, a byte at the end, and 8 for the count. A player who changes
 * makes two changes.
 */
export const shardChangeBytesMax =
  25 + segmentsMax * (1 + idCharactersMax + 1 + segmentValueCharactersMax) + 1 + 8;
/** Changes in a shard document that joins others, or takes changes back; fewer if the changes have segments. */
export const changesPerShardMax = 6_000;
/** The time between two commits to one shard document: the rate that Google's own counters count on. */
export const shardCommitsApartMs = 1_000;

/**
 * Shard documents that one publication folds: as many as a busy board writes in an interval. From a longer backlog a
 * publication takes the oldest slots. If a single slot has more documents, these are joined first
 * (ranking/join-shards.ts).
 */
export const shardsPerPublicationMax = 1_000;
/**
 * Bytes of the shard documents that a publication deletes. They count towards the size of its commit, as the pages do.
 */
export const shardBytesPerPublicationMax = 4 * 1_048_576;
/** Bytes of the shard documents that a publication deletes if it also writes pages of segments. */
export const shardBytesBesideSegmentsMax = (7 / 16) * shardBytesPerPublicationMax;
/** The same if it also writes documents of teams, whose 4,000 lines take 85 bytes each. */
export const shardBytesBesideTeamsMax = (5 / 16) * shardBytesPerPublicationMax;
/** Bytes of the changes that a publication takes out of shard documents still in use: 50,000 scores. */
export const changesTakenBytesMax = 50_000 * 34;
/** Shard documents that one commit joins: the commit deletes them and writes at most as many. */
export const shardsPerCompactionMax = Math.floor(writesPerCommitMax / 2);
/** Bytes of the shard documents that one commit joins: the commit writes at most as many bytes again. */
export const shardBytesPerCompactionMax = 3 * 1_048_576;
/** Shard documents decoded at once, so that a fold of full ones needs tens of megabytes and not a gigabyte. */
export const shardsPerReadMax = 20;
/** Once in this many generations, a run also looks for shard documents of slots that ended long ago. */
export const stragglerGenerations = 60;
/** How often one ranking run tries to publish before it gives the task back to the queue. */
export const publishAttemptsMax = 8;
/**
 * How long after a season became due its run is requested again, if it is still due: after the three attempts of a
 * failing run and most slow runs, and before two ticks of the schedule.
 */
export const runAskedAgainMs = 110_000;
/** How long a run record is kept: the `run_record_expires_at` of a TTL policy. */
export const runKeepDays = 30;
/** How long a season dozes before it sleeps: until every writer that remembers it awake has finished. */
export const dozeMs = 7 * 60_000;
/** How long an instance remembers an awake season that a run may let doze at any moment. */
export const mayDozeKeptMs = 2_000;
/**
 * How overdue a run may be and let a season doze: longer than a run of ten million players takes. Where runs fail or do not
 * come, instances would read the season every two seconds for as long.
 */
export const dozeOverdueMsMax = 10 * 60_000;

/** Requests that one instance of `submitScore` takes at once: the most that Cloud Run allows. They share commits. */
export const submissionsAtOnceMax = 1_000;
/** Players counted by one transaction of an import or a repair: each may need two increments in its shard document. */
export const playersPerCountMax = 200;
/** Players' documents in a commit that submissions share: more would hold more locks for longer. */
export const documentsPerCommitMax = 100;
/**
 * Bytes that a shared commit writes to players' documents, as Firestore counts them; further players wait for the next
 * commit.
 */
export const playersBytesPerCommitMax = 5 * 1_048_576;
/** The most bytes of a player's document that Firerank writes: metadata full of small maps, the longest ids and names. */
export const playerBytesMax = 16 * 1_024;
/** Changes of one player that may wait in a process: whoever sends more floods the process. */
export const waitingPerPlayerMax = 100;
/** How long a receipt for a direct write is kept: the `count_receipt_expires_at` of a TTL policy. */
export const receiptKeptMs = 3 * 86_400_000;

/** Submissions in one call of `submitScores`. */
export const submissionsPerCallMax = 500;
/** Submission ids remembered with a player. A retry is recognised while its id is among the last ones. */
export const submissionIdsMax = 20;
/**
 * Submissions of one player in one call: as many as submission ids are remembered. So a transaction that runs again
 * after its commit went through recognises every submission, unless another call of the player came in between.
 */
export const submissionsPerPlayerMax = submissionIdsMax;
/** A player's `setProfile` in one instance: typing a name takes longer, and each change is a write in every season. */
export const profileSecondsBetween = 3;
/** Seasons for which a submission may name the generation seen. A submission counts in four at most; apps name more. */
export const seasonsSeenMax = 100;
/**
 * How long after its arrival a submission's transaction may begin, so that every accepted submission commits within
 * `endWaitMs`.
 */
export const submitBeginsMsMax = 60_000;

/** Characters of a submission id: room for a UUID or a hash. */
export const submissionIdCharactersMax = 64;
/** Private groups of a board that a player is in: each change of a score is brought into all of them. */
export const privateGroupsPerPlayerMax = 10;
/** Members of a private group: with seats of 640 bytes they take 64 KB, which each listener gets with each change. */
export const privateGroupSizeMax = 100;
/** Characters of a player id that a call may add: the longest uid of Firebase Auth. */
export const playerIdCharactersMax = 128;
/** Characters of a display name. */
export const displayNameCharactersMax = 64;
/** Bytes of a player's metadata as JSON. */
export const metadataBytesMax = 1_024;
/** Levels of maps and arrays in submitted metadata. */
export const metadataDepthMax = 10;
/** Levels of a server's metadata that a top shows: in the top, they lie below its list of entries and the entry. */
export const topMetadataDepthMax = documentDepthMax - 2;

/** Entries of the top document. */
export const topSizeMax = 1_000;
/** Bytes of the top document. Above it, entries are kept without their metadata. */
export const topBytesMax = 900 * 1_024;
/** Events that a new top may come with: one about the players who entered, one about a new leader. */
export const topEventsMax = 2;
/** Bytes of an event's players: a thousand of the usual names and ids, and few beside a commit's pages. */
export const eventBytesMax = 400_000;
/** `top_refresh_seconds` of a board that does not set it. People see a top with this delay as live. */
export const topRefreshSecondsDefault = 2;
/**
 * Tops that an instance renews at the same time beside other requests: each takes as much memory as the largest top and all
 * its players. Others wait for tasks, which have instances of their own.
 */
export const topsRenewedMax = 4;
/** The largest `top_refresh_seconds`, and the longest window of pacing. Publications refresh the top too. */
export const topWindowMsMax = 60_000;
/** How much longer a window gets while changes do not stop: 2,700 refreshes a day, not 43,200. */
export const topWideningMax = 16;
/** The share of a top's players that a refresh may read as changes. If more has changed, it reads all of them. */
export const topChangesShare = 1 / 4;
/** After which time all players of a top are read again: a refresh for a name may have failed. */
export const topKeptMsMax = 7 * 24 * 3_600_000;
/** How long an instance remembers a top's gate: while players change, the instance reads the gate once in this time. */
export const topGateKeptMs = 10_000;
/** How long a refresh that was delivered too early may wait: until the latest time for which a refresh is requested. */
export const topRefreshWaitMsMax = topGateKeptMs + topWindowMsMax;
/** How long the task of a refresh may take: the refresh waits, and reads a thousand players a few times. */
export const topRefreshTaskSecondsMax = 240;

/** Bins of one answer of `getHistogram`: each has an edge, whose page may have to be read. */
export const histogramBinsMax = 50;

/** Players of one answer of `getPage`. */
export const pageLimitMax = 100;
/** Players above, and players below, in one answer of `getAround`. `getPage` is for more. */
export const aroundMax = 50;
/** Players of one call of `getPlayers`: as many as a list of friends shows. */
export const friendsMax = 100;
export const seasonsPerAnswerMax = 100;
/** Seasons that the answer of a call about one player lists: a player may be on a hundred thousand boards. */
export const seasonsListedMax = 1_000;
/**
 * Players that `getPage` skips to reach an offset among equal scores. Each is billed as a read; a cursor skips none.
 */
export const skippedMax = 1_000;
/** {@link skippedMax} for callers who neither sign in nor send an App Check token: as many as one page may hold. */
export const nobodySkippedMax = pageLimitMax;
/** Counts that look for an offset in a merged row: spread-out scores need 2, crowded ones about 6. */
export const narrowingsMax = 12;
/** How often a list is read again if a publication came in between, which is rare. */
export const generationAttemptsMax = 3;

/** How long a definition or season is kept in memory. */
export const boardCacheMs = 60_000;
/** {@link boardCacheMs} on the emulators, where a changed board should show at once and reads cost nothing. */
export const boardCacheOnEmulatorMs = 1_000;
/** After this share of `boardCacheMs` a board is read again, while the old value still serves answers. */
export const boardRenewedAt = 5 / 6;
/** Different reads that one instance shares at a time. It serves 80 requests, and few of them need more than one. */
export const sharedReadsMax = 1_000;
/** How long a page stays in memory if the next publication is overdue (an idle board publishes nothing). */
export const overduePageMs = 10_000;
/** How old a season's pending changes may be in a live answer; then an instance reads them again. */
export const liveMsMax = 5_000;
/**
 * Reads a minute that an instance spends in the long run on pending changes of all seasons, so that live ranks stay
 * cheap; and once more on seasons that nobody has opened.
 */
export const liveReadsPerMinuteMax = 1_000;
/**
 * Seconds for which an answer about a closed season may be cached. A player who is removed disappears from all answers
 * within an hour: five minutes are left for the publication that follows, and for what instances remember.
 */
export const closedFreshSeconds = 55 * 60;

/**
 * How long after a season's end, or a change of its status, something may still act on its old state: an instance
 * remembers the old state for `boardCacheMs`, and a transaction that it began then may still commit for
 * `lateCommitMsMax`.
 */
export const endWaitMs = boardCacheMs + lateCommitMsMax;
/** {@link endWaitMs} on the emulators, where an instance remembers a season for a second. */
export const endWaitOnEmulatorMs = 3_000;
/**
 * How far the clocks of two servers may be apart at the end of a season. A server whose clock is behind accepts
 * submissions for so much longer, and a server whose clock is ahead begins to close so much sooner. Clocks of Cloud
 * Functions agree within milliseconds.
 */
export const clocksApartMsMax = 30_000;
/** How long one step of a season's end works before it enqueues the next step. */
export const endStepMs = 5 * 60_000;
/** How long the schedule waits for a step that shows no progress before it requests another step. */
export const endPauseMs = 5 * 60_000;
/** How long after a season's end failed it is retried; and a run that is more than `dozeOverdueMsMax` overdue. */
export const endRetryMs = 10 * 60_000;
/** How long revisions gather after a publication of a closed season; with the schedule, up to 90 seconds. */
export const revisionsGatherMs = 30_000;

/** Players of one document of the standings: this many ids, names and metadata fit. */
export const standingsPerDocument = 1_000;
/**
 * Bytes of the players in a document of the standings, and of metadata in the document beside it. Fewer large players
 * fit.
 */
export const standingsBytesMax = 900 * 1_024;
export const standingsMetadataBytesMax = 1_030_000;
/** Documents of the standings that one document of the summary covers: their sums fill about half of its megabyte. */
export const summaryPartMax = 16_384;
/** Documents of the standings that are read at once: some 8 MB. */
export const standingsReadAtOnce = 20;
/** Players of a range of the standings, which a task of its own writes: some minutes of reading. */
export const rangePlayersMax = 200_000;
/** How far the numbers of a range's documents are apart in two passes, which read the players as of different times. */
export const passNumbers = 1_000_000_000_000;
/**
 * How many notes of a closing are read at once; each names a player whom an admin changed while the season was closing.
 */
export const closingNotesPerRead = 100;

/**
 * How long an erasure keeps a player out: ID tokens of a deleted account are valid for an hour, and events may come for
 * a day.
 */
export const erasureKeptMs = 25 * 3_600_000;
/** How long after an erasure it looks once more: as long as an ID token of a deleted account is valid. */
export const erasureLooksAgainMs = 3_600_000;
/**
 * How long a merge keeps the player out who was merged into another. The account may still exist and play on later, but
 * submissions that were on their way must not count for both players.
 */
export const mergeKeptMs = 15 * 60_000;

/** Players in one count of an audit: Firestore ends a count after a minute, at about three million. */
export const countedAtOnceMax = 250_000;
/** Players of idle seasons that one look for alerts counts: 50,000 reads, as many as are free each day. */
export const countedPerLookMax = 50_000_000;
/**
 * How far ahead a slot may end. Firerank's own slots end soon, and clocks differ a little: somebody else wrote a later
 * slot.
 */
export const slotAheadMsMax = 10 * 60_000;
/** How many examples of errors the record of an audit shows. */
export const auditExamplesMax = 20;
/**
 * Players that a repair or full audit looks at within the call that requested it. With more players it becomes a task.
 */
export const repairInlinePlayersMax = 50_000;
/** How often a running repair stores its progress. */
export const progressEveryMs = 10_000;

/**
 * Players of a season whose steps share a task with those of other seasons (jobs/schedule/step.ts): its ranking is a few
 * pages, and its final table one document.
 */
export const smallSeasonPlayersMax = 1_000;
/** Steps that share a task. More would not be cheaper: a task and its call are a thousandth of a cent. */
export const sharedStepsMax = 100;
/** Of these, steps at the same time: they wait for the database, and together fit an instance's memory. */
export const sharedAtOnce = 16;
/** How long a step may take that shares a task, and how long a task begins such steps: so its call answers in a minute. */
export const sharedStepMsMax = 20_000;
export const sharedBeginsMsMax = 40_000;
/** How long the call of such a task may take. If it takes longer, a step hangs, and each gets a task of its own. */
export const sharedTaskSecondsMax = 120;
/** Bytes of the shard documents that such a step folds. If there are more, the season gets a task of its own. */
export const sharedShardBytesMax = 512 * 1_024;

/** What the queue of each task function allows; `firerank doctor` compares. */
export const queueLimits = {
  stepSeason: { maxConcurrentDispatches: 100, maxAttempts: 3 },
  stepSmallSeasons: { maxConcurrentDispatches: 50, maxAttempts: 3 },
  refreshTop: { maxConcurrentDispatches: 200, maxAttempts: 3 },
} as const;
