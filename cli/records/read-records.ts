/**
 * The records of a file, one by one: a CSV with a header, NDJSON, or a JSON array. It needs memory for one record and
 * the parser's buffers, whatever the size of the file.
 */
import { createReadStream } from "node:fs";
import { extname } from "node:path";
import type { Definition } from "../../functions/src/model/definition.ts";
import { CliError } from "../cli-error.ts";
import { readCsv } from "./csv.ts";
import type { FoundRecord } from "./found-record.ts";
import { readJsonArray, readNdjson } from "./json.ts";

export type FileFormat = "csv" | "ndjson" | "json array";

/**
 * Reads a file's records in order. The same file gives the same records each time, so their number is the progress of
 * an import.
 * @param template whose boards the records name, each its own.
 * @param onBytes called for each chunk of the file.
 * @throws CliError if the file as a whole cannot be read: it is not UTF-8, or its header or (in a JSON array) its
 * syntax is wrong.
 */
export async function* readRecords(
  path: string,
  definition: Definition,
  template?: string,
  onBytes?: (bytes: Buffer) => void,
): AsyncGenerator<FoundRecord> {
  const text = readText(path, onBytes);
  const format = await formatOf(path);
  if (format === "csv") yield* readCsv(text, definition, template !== undefined);
  else if (format === "ndjson") yield* readNdjson(text);
  else yield* readJsonArray(text);
}

/** A file's format: by its extension, and for JSON by its first character. @throws CliError */
export async function formatOf(path: string): Promise<FileFormat> {
  switch (extname(path).toLowerCase()) {
    case ".csv":
      return "csv";
    case ".ndjson":
    case ".jsonl":
      return "ndjson";
    case ".json":
      for await (const text of readText(path)) {
        const begun = text.trimStart();
        if (begun === "") continue;
        if (begun.startsWith("[")) return "json array";
        const [line = ""] = begun.split("\n", 1);
        if (line === begun || line.trimEnd().endsWith("}")) return "ndjson";
        throw new CliError(
          `"${path}" is one JSON object of several lines. An import needs an array of players, ` +
            '[{"player": "ann", "score": 1}, …], or an object for each player in a line of its own.',
        );
      }
      return "ndjson";
    default:
      throw new CliError(
        `"${path}" must end in .csv, .json, .ndjson or .jsonl, as the ending tells the format.`,
      );
  }
}

async function* readText(path: string, onBytes?: (bytes: Buffer) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
      onBytes?.(bytes);
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new CliError(`"${path}" is not UTF-8; save it as UTF-8 first.`, { cause });
    if (code === "ENOENT") throw new CliError(`There is no file "${path}".`, { cause });
    throw new CliError(`"${path}" cannot be read: ${message}`, { cause });
  }
}
