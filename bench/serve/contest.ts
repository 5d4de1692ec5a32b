/**
 * All systems at once, each behind its own function: first their answers are compared, then they are measured in turns.
 */
import type { Board, Question } from "./board.ts";
import { untilIdle } from "./cores.ts";
import { callOnce, serve, type Served } from "./framework.ts";
import { type Load, measure, type Measured } from "./load.ts";
import type { Place, Stored, System } from "./systems/system.ts";

/** A running system. */
export interface Contestant {
  system: System;
  stored: Stored;
  served: Served;
}

/** Where the parts run. */
export interface Stage {
  board: Board;
  firestore: { host: string; projectId: string };
  folder: string;
  /** Puts a command before the functions, and another before the databases: see cores.ts. */
  functionsPinned: readonly string[];
  databasesPinned: readonly string[];
}

/** Starts all systems, does the work and stops everything that was started, even if something fails. */
export async function withContestants<T>(
  systems: readonly System[],
  stage: Stage,
  work: (contestants: Contestant[]) => Promise<T>,
): Promise<T> {
  const { board, firestore, folder } = stage;
  const started: { stop(): Promise<void> }[] = [];
  const place = (pinned: Place["pinned"]): Place => ({ folder, pinned });
  try {
    const contestants: Contestant[] = [];
    for (const system of systems) {
      const stored = await system.store(board, place(stage.databasesPinned));
      started.push(stored);
      const served = await serve(stored, place(stage.functionsPinned), firestore);
      started.push(served);
      contestants.push({ system, stored, served });
    }
    return await work(contestants);
  } finally {
    for (const running of started.reverse()) await running.stop();
  }
}

/** Asks each system each question. @throws naming the first answer that a full sort would not give */
export async function checkAnswers(
  contestants: readonly Contestant[],
  board: Board,
  questions: readonly Question[],
): Promise<void> {
  for (const question of questions) {
    const { score, rank } = question;
    const right = JSON.stringify({ score, rank, exact: true, players: board.scores.length });
    for (const { system, served } of contestants) {
      const asked = { leaderboard: board.leaderboard, score };
      const { rank, exact, players } = await callOnce(served.url, asked);
      const found = JSON.stringify({ score, rank, exact, players });
      if (found !== right) throw new Error(`${system.name} answered ${found}, and right is ${right}`);
    }
  }
}

/** One measurement of one system, of a kind that the caller names. */
export interface Sample extends Measured {
  system: string;
  kind: string;
  repeat: number;
}

/** A named kind of measurement: which requests, over how many connections, for how long. */
export interface Kind {
  kind: string;
  questions: readonly Question[];
  connections: number;
  seconds: number;
}

/** Measures all systems in turns, so that other load on the machine affects them equally. */
export async function measureInTurns(
  contestants: readonly Contestant[],
  board: Board,
  kinds: readonly Kind[],
  repeats: number,
  onSample: (sample: Sample) => void = () => undefined,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const kind of kinds) {
      for (const contestant of contestants) {
        const measured = await measure(loadOf(contestant, board, kind));
        const { served, stored } = contestant;
        // Work still in flight at the end must not affect the next system.
        await untilIdle([served.pid, ...(stored.pid === undefined ? [] : [stored.pid])]);
        const sample = { system: contestant.system.name, kind: kind.kind, repeat, ...measured };
        samples.push(sample);
        onSample(sample);
      }
    }
  }
  return samples;
}

function loadOf({ stored, served }: Contestant, board: Board, kind: Kind): Load {
  const { questions, connections, seconds } = kind;
  const bodies = questions.map(({ score }) =>
    JSON.stringify({ data: { leaderboard: board.leaderboard, score } }),
  );
  return {
    url: served.url,
    bodies,
    connections,
    seconds,
    functionPid: served.pid,
    databasePid: stored.pid,
  };
}
