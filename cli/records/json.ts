/** NDJSON (an object on each line) and JSON arrays. */
import { Readable, pipeline } from "node:stream";
import streamArray from "stream-json/streamers/stream-array.js";
import { CliError } from "../cli-error.ts";
import { type FoundRecord, recordCharactersMax } from "./found-record.ts";

/** Records of NDJSON; empty lines are skipped, and a line that is not JSON is a record with a problem. */
export async function* readNdjson(text: AsyncIterable<string>): AsyncGenerator<FoundRecord> {
  let number = 0;
  for await (const line of linesOf(text)) {
    number += 1;
    const place = `line ${number}`;
    if (line === undefined) yield { place, problem: `has more than ${recordCharactersMax} characters` };
    else if (line.trim() !== "") yield { place, ...parsed(line) };
  }
}

/**
 * Records of a JSON array.
 * @throws CliError if its syntax is wrong: the rest can then not be split into items.
 */
export async function* readJsonArray(text: AsyncIterable<string>): AsyncGenerator<FoundRecord> {
  const items = streamArray.withParserAsStream({ packValues: true, streamValues: false });
  pipeline(Readable.from(text), items, () => undefined); // its error reaches the loop below too
  let index = 0;
  try {
    for await (const { key, value } of items as AsyncIterable<streamArray.StreamArrayItem>) {
      index = key + 1;
      yield { place: `item ${index}`, value };
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(
      `The file is not a JSON array, somewhere after item ${index}: ${(cause as Error).message}.`,
      {
        cause,
      },
    );
  }
}

function parsed(line: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(line) as unknown };
  } catch (error) {
    return { problem: `is not JSON: ${(error as Error).message}` };
  }
}

/** Lines without their ends; `undefined` stands for one that is too long to keep. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let rest = "";
  let isTooLong = false;
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      yield isTooLong || line.length > recordCharactersMax ? undefined : line;
      isTooLong = false;
    }
    if (rest.length > recordCharactersMax) {
      isTooLong = true;
      rest = "";
    }
  }
  if (rest !== "" || isTooLong) yield isTooLong ? undefined : rest;
}
