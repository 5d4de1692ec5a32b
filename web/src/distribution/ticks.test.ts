import { expect, test } from "vitest";
import { linearEdges } from "./bins.ts";
import { ticksOf } from "./ticks.ts";

const binsBetween = (lowest: number, highest: number) => {
  const edges = linearEdges(lowest, highest, true);
  return edges.slice(1).map((to, i) => ({ from: edges[i] ?? to, to, players: 1 }));
};
const textsOf = (lowest: number, highest: number, width: number) =>
  ticksOf(binsBetween(lowest, highest), width).map(({ text }) => text);

test("edges are abbreviated, as many as there is room for", () => {
  expect(textsOf(0, 1_000, 400)).toEqual(["0", "250", "500", "750", "1,000"]);
  expect(textsOf(0, 100_000, 400)).toEqual(["0", "25K", "50K", "75K", "100K"]);
});

test("edges with equal abbreviations are written in full, and fewer of them", () => {
  const texts = textsOf(1_763_720_000_100, 1_763_720_000_190, 500);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts[0]).toBe("1,763,720,000,100");
  expect(texts.length).toBeLessThan(textsOf(0, 90, 500).length);
});
