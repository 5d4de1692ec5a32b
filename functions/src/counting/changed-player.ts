/** What an event is about: whose document, and its versions. Pure. */
import type { Version } from "../documents/mark.ts";

/** A write of a player's document: its versions before and after, undefined where there was none. */
export interface PlayerWrite {
  before: Version | undefined;
  after: Version | undefined;
  /** When its event says that it happened, in milliseconds since 1970. */
  atMs: number;
}

interface Side {
  exists: boolean;
  ref: { id: string };
}

/** The same with its contents, of the host's copy of the client library. */
interface DocumentInEvent extends Side {
  data(): Record<string, unknown> | undefined;
  updateTime?: Version["updateTime"];
  createTime?: Version["createTime"];
}

export function versionOf(side: DocumentInEvent | undefined): Version | undefined {
  if (side?.exists !== true || side.updateTime === undefined || side.createTime === undefined)
    return undefined;
  return { data: side.data() ?? {}, updateTime: side.updateTime, createTime: side.createTime };
}

/**
 * The player's id, by the document in the event's body. The event's parameters, and a side that did not exist, have it
 * from an HTTP header, whose bytes are UTF-8 but are read as Latin-1. So "Jürgen" arrives as "JÃ¼rgen", a player who does
 * not exist: https://github.com/firebase/firebase-functions/issues/1459.
 * @param inParams the id in the parameters, for an event without a body.
 */
export function changedPlayer(data: { before: Side; after: Side } | undefined, inParams: string): string {
  const side = data?.after.exists === true ? data.after : data?.before;
  return side?.exists === true ? side.ref.id : inParams;
}
