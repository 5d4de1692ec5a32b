import { expect, test } from "vitest";
import { addressOf, askedOf, segmentIn, segmentName } from "./segment.ts";

test("an address keeps the segment, beside whatever else it shows", () => {
  const address = addressOf("/boards/chess/all_time", { segment: "country=AT", player: "a&b" });
  expect(address).toBe("/boards/chess/all_time?segment=country:AT&player=a%26b");
  expect(segmentIn(Object.fromEntries(new URL(address, "http://here").searchParams))).toBe("country=AT");
  expect(addressOf("/boards/chess/all_time", {})).toBe("/boards/chess/all_time");
  expect(addressOf("/boards/chess/all_time/players", { place: 51, after: "x=" })).toBe(
    "/boards/chess/all_time/players?place=51&after=x%3D",
  );
});

test.each([undefined, "", "country", "country:", "country:A T", "country:mine", ":AT"])(
  "%o in an address stands for all players",
  (segment) => {
    expect(segmentIn(segment === undefined ? {} : { segment })).toBeUndefined();
  },
);

test("a call asks for the segment as its answer names it", () => {
  expect(askedOf("country=AT")).toEqual({ segment: { country: "AT" } });
  expect(askedOf(undefined)).toEqual({});
  expect(segmentName("country=AT")).toBe("country AT");
});
