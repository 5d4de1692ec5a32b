/** How old a system's answers can be. Pure. */
import { runSecondsDefault, type System } from "./system.ts";

export interface Staleness {
  /** How old a rank can be, for a table: "live", "up to 5 minutes", or "–" without ranks. */
  rank: string;
  /** All that is known of it, in sentences. */
  text: string;
}

const lists = [
  { list: "top", title: "the top" },
  { list: "around", title: "the players around one" },
  { list: "page", title: "pages" },
] as const;

/**
 * Ranks of a system with a periodic job are as old as its last run, unless it claims to be exact: then the job only
 * mends.
 */
export function stalenessOf({
  rank,
  runSeconds = runSecondsDefault,
  cannot,
  asOfRun = [],
  lag,
  ageSeconds,
}: Pick<System, "rank" | "runSeconds" | "cannot" | "asOfRun" | "lag" | "ageSeconds">): Staleness {
  const isLive = "run" in cannot || rank === "exact";
  const age = durationText(runSeconds);
  const offered = lists.filter(({ list }) => !(list in cannot));
  const titles = (old: boolean) =>
    offered.filter(({ list }) => asOfRun.includes(list) === old).map(({ title }) => title);
  const ranks = "rank" in cannot ? [] : ["ranks"];
  const liveText = ageSeconds === undefined ? "live" : `up to ${durationText(ageSeconds)}`;
  const [old, live] = isLive ? [[], ["all answers"]] : [[...ranks, ...titles(true)], titles(false)];
  const parts = [
    ...(old.length === 0 ? [] : [`${andList(old)} are as of the last run, up to ${age} ago`]),
    ...(live.length === 0
      ? []
      : [`${andList(live)} are ${ageSeconds === undefined ? liveText : `${liveText} old`}`]),
  ];
  const sentence = parts.join("; ");
  return {
    rank: "rank" in cannot ? "–" : isLive ? liveText : `up to ${age}`,
    text: [
      `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
      ...(lag === undefined ? [] : [lag]),
    ].join(" "),
  };
}

const units = [
  [3_600, "hour"],
  [60, "minute"],
] as const;

/** For example "1 hour", "5 minutes" or "90 seconds". */
function durationText(seconds: number): string {
  const [size, unit] = units.find(([length]) => seconds % length === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function andList(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
