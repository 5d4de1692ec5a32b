/** The edition of the database that Firerank is put into, and what indexes that edition takes. */
import { CliError, usageError } from "../cli-error.ts";
import { type BoardKind, enterpriseIndexes, everyKind } from "./enterprise-indexes.ts";
import { type Edition, editions, type IndexFile } from "./index-file.ts";
import { ownFile, ownIndexes } from "./package.ts";

/** The board that most are: the highest score leads, and whoever was first among equals. */
const usualBoard: BoardKind = { order: "descending", ties: "first" };

/** What an index file gets, and what it loses. */
export interface WantedIndexes {
  wanted: IndexFile;
  /** The text of a file that has nothing else. */
  alone: string;
  /** Indexes and exemptions that go, where they are exactly as Firerank writes them and not wanted. */
  unwanted: IndexFile;
  edition: Edition;
}

/** @throws CliError if there is no such edition, or firebase.json names another */
export function editionOf(asked: string | undefined, configured: string | undefined): Edition {
  const [wanted, known] = [asked, configured].map((text) => {
    const found = editions.find((edition) => edition === text?.toLowerCase());
    if (text !== undefined && found === undefined)
      throw usageError(`The edition "${text}" is not one of ${editions.join(" and ")}.`);
    return found;
  });
  if (wanted !== undefined && known !== undefined && wanted !== known) {
    throw new CliError(
      `--edition ${wanted}: firebase.json says that the database is of ${known} edition. A database keeps its edition; ` +
        "where firebase.json is wrong, change it there.",
    );
  }
  return wanted ?? known ?? "standard";
}

/**
 * Which indexes a file should have. On Enterprise there are no exemptions, but the same fields expire documents.
 * @param kinds of the boards that there are; without them, an Enterprise file keeps those that it has, and gets those of
 *   the usual board.
 */
export function wantedIndexes(edition: Edition, kinds?: readonly BoardKind[]): WantedIndexes {
  const standard = ownIndexes();
  if (edition === "standard")
    return { wanted: standard, alone: ownFile("firestore.indexes.json"), unwanted: allIndexes(), edition };
  const indexes = enterpriseIndexes(kinds === undefined || kinds.length === 0 ? [usualBoard] : kinds);
  const wanted = { indexes, fieldOverrides: standard.fieldOverrides.filter(({ ttl }) => ttl === true) };
  const unwanted = kinds === undefined ? standard : allIndexes();
  return { wanted, alone: `${JSON.stringify(wanted, null, 2)}\n`, unwanted, edition };
}

/** All that Firerank may have put into an index file, of any edition and for any boards. */
export function allIndexes(): IndexFile {
  const { indexes, fieldOverrides } = ownIndexes();
  return { indexes: [...indexes, ...enterpriseIndexes(everyKind)], fieldOverrides };
}
