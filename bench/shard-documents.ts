/** Shard documents as they come over the wire, and the client library's own way of decoding them. */
import protos from "../functions/node_modules/@google-cloud/firestore/build/protos/firestore_v1_proto_api.js";
import { Firestore } from "../functions/src/documents/firestore.ts";
import { scoreToField } from "../functions/src/model/score.ts";

/** What protobufjs makes of a message type; the library's own declarations leave most of it out. */
interface MessageType {
  fromObject(fields: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

const Document = protos.google.firestore.v1.Document as unknown as MessageType;

/** A shard document with one player more at each score, encoded as Firestore sends it. */
export function encodeShard(id: number, scores: Iterable<number>): Uint8Array {
  const counts: Record<string, { integerValue: string }> = {};
  for (const score of scores) counts[scoreToField(score)] = { integerValue: "1" };
  const document = Document.fromObject({
    name: `projects/bench/databases/(default)/documents/leaderboards/b/seasons/all_time/scores/${id}-0`,
    fields: {
      player_count: { mapValue: { fields: counts } },
      slot_ends_at: { timestampValue: { seconds: 1 } },
      writes: { integerValue: "1" },
    },
    createTime: { seconds: 1 },
    updateTime: { seconds: 1 },
  });
  return Document.encode(document).finish();
}

/** The internal method by which the client makes a snapshot of what the wire gave it. */
interface SnapshotMaker {
  snapshot_(document: object, readTime: object): { data(): Record<string, unknown> };
}

/** Decodes a document as a query does: protobuf, then a plain object, then the client's own values. */
export function createDecoder(): (bytes: Uint8Array) => Record<string, unknown> {
  const client = new Firestore({ projectId: "bench" }) as unknown as SnapshotMaker;
  // The options that google-gax gives to gRPC.
  const options = { longs: String, enums: String, defaults: true, oneofs: true };
  return (bytes) => {
    const plain = Document.toObject(Document.decode(bytes), options);
    return client.snapshot_(plain, { seconds: 1, nanos: 0 }).data();
  };
}
