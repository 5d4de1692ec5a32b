/** The edition of the database that Firerank is put into, and what indexes that edition takes. Pure. */
import {
  type BoardKind,
  enterpriseExpiries,
  enterpriseIndexes,
  everyKind,
  type ExpirySpec,
  type IndexSpec,
} from "./enterprise-indexes.ts";
import { CliError } from "../cli-error.ts";

export const editions = ["standard", "enterprise"] as const;
export type Edition = (typeof editions)[number];

/** The board that most are: the highest score leads, and whoever was first among equals. */
const usualBoard: BoardKind = { order: "descending", ties: "first" };

/** What an index file gets, and what it loses. */
export interface WantedIndexes {
  /** Firerank's own file. */
  wanted: string;
  /** Indexes and exemptions of Firerank that do not belong there, as files. */
  unwanted: string[];
  edition: Edition;
}

/** @throws CliError if there is no such edition, or firebase.json names another */
export function editionOf(asked: string | undefined, configured: string | undefined): Edition {
  const [wanted, known] = [asked, configured].map((text) => {
    const found = editions.find((edition) => edition === text?.toLowerCase());
    if (text !== undefined && found === undefined)
      throw new CliError(`The edition "${text}" is not one of ${editions.join(" and ")}.`, { exitCode: 2 });
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
 * Which indexes a file should have.
 * @param standard Firerank's own `firestore.indexes.json`, which is that of the Standard edition.
 * @param kinds of the boards that there are; without them, an Enterprise file keeps those that it has, and gets those of
 *   the usual board.
 */
export function wantedIndexes(
  edition: Edition,
  standard: string,
  kinds?: readonly BoardKind[],
): WantedIndexes {
  const all = enterpriseIndexes(everyKind);
  if (edition === "standard") return { wanted: standard, unwanted: [fileOf(all, [])], edition };
  const wanted = enterpriseIndexes(kinds === undefined || kinds.length === 0 ? [usualBoard] : kinds);
  const keys = new Set(wanted.map((one) => JSON.stringify(one)));
  const unused = kinds === undefined ? [] : all.filter((one) => !keys.has(JSON.stringify(one)));
  return {
    wanted: fileOf(wanted, enterpriseExpiries),
    unwanted: [standard, fileOf(unused, [])],
    edition,
  };
}

/** All that Firerank may have put into an index file, of any edition and for any boards, as files. */
export function allIndexes(standard: string): string[] {
  return [standard, fileOf(enterpriseIndexes(everyKind), enterpriseExpiries)];
}

function fileOf(indexes: readonly IndexSpec[], fieldOverrides: readonly ExpirySpec[]): string {
  return `${JSON.stringify({ indexes, fieldOverrides }, null, 2)}\n`;
}
