/**
 * What rules allow a stranger: a player who is signed in, and owns nothing but the own document. Tried by the Firebase
 * Rules service on a project, and by requests on an emulator. Nothing is written either way.
 */
import { z } from "zod";
import { NotChecked } from "./finding.ts";
import type { Patient } from "./patient.ts";

/** What is not as it should be, by the collection. */
export interface Tried {
  /** What the stranger may read although nobody but admins should. */
  reads: string[];
  /** What the stranger may write. */
  writes: string[];
  /** What apps read, and the rules refuse. */
  refused: string[];
}

const stranger = "firerank-doctor";
const board = `leaderboards/${stranger}`;
const season = `${board}/seasons/${stranger}`;
/** As in Firerank's own ids, the last part of a path is none that any document has. */
const own = `${season}/players/${stranger}`;
const others = `${season}/players/somebody-else`;
const below = (collection: string) => `${season}/${collection}/${stranger}`;

const readable = [board, season, own, ...["scores_ranking", "segments_ranking", "top"].map(below)];
const hidden = [
  others,
  ...[
    "scores",
    "runs",
    "standings",
    "receipts",
    "repair",
    "closing_notes",
    "closing_ranges",
    "league_groups",
  ].map(below),
  `${below("baselines")}/scores_ranking/${stranger}`,
  ...["player_statuses", "new_boards", "private_groups", "group_codes", "events"].map(
    (collection) => `${board}/${collection}/${stranger}`,
  ),
  ...["leaderboard_roles", "leaderboard_erasures"].map((collection) => `${collection}/${stranger}`),
];
/** What is tried: a document in each of Firerank's collections. */
export const triedPaths: readonly string[] = [...readable, ...hidden];

interface Probe {
  method: "get" | "create" | "update" | "delete";
  path: string;
  should: "ALLOW" | "DENY";
}

const probes: readonly Probe[] = [
  ...readable.map((path): Probe => ({ method: "get", path, should: "ALLOW" })),
  ...hidden.map((path): Probe => ({ method: "get", path, should: "DENY" })),
  ...triedPaths.flatMap((path) =>
    (["create", "update", "delete"] as const).map((method): Probe => ({ method, path, should: "DENY" })),
  ),
];

/** The collection of a document; of one in a season that which is directly below the season. Pure. */
function collectionOf(path: string): string {
  const [first = "", , ofBoard = first, , ofSeason = ofBoard] = path.split("/");
  return ofSeason;
}

/** Those that are not as they should be, by collection. Pure. */
function sorted(wrong: readonly Probe[]): Tried {
  const collections = (isWanted: (one: Probe) => boolean) => [
    ...new Set(wrong.filter(isWanted).map(({ path }) => collectionOf(path))),
  ];
  return {
    reads: collections(({ method, should }) => method === "get" && should === "DENY"),
    writes: collections(({ method }) => method !== "get"),
    refused: collections(({ should }) => should === "ALLOW"),
  };
}

const testAnswer = z.looseObject({
  testResults: z.array(z.looseObject({ state: z.enum(["SUCCESS", "FAILURE"]) })).default([]),
});

/** Asks the service. A condition that reads other documents counts as refused, as there are none. @throws NotChecked */
export async function testedByService({ api, project, database }: Patient, text: string): Promise<Tried> {
  const auth = {
    uid: stranger,
    token: {
      sub: stranger,
      email: `${stranger}@example.com`,
      email_verified: true,
      firebase: { sign_in_provider: "password" },
    },
  };
  const testCases = probes.map(({ method, path, should }) => ({
    expectation: should,
    request: {
      auth,
      method,
      path: `/databases/${database}/documents/${path}`,
      ...(method === "create" || method === "update" ? { resource: { data: { score: 1 } } } : {}),
    },
    ...(method === "create" ? {} : { resource: { data: {} } }),
  }));
  const body = { source: { files: [{ name: "firestore.rules", content: text }] }, testSuite: { testCases } };
  const service = "firebaserules.googleapis.com";
  const answer = await api.post(service, `v1/projects/${project}:test`, testAnswer, body);
  const results = answer?.testResults ?? [];
  if (results.length !== probes.length)
    throw new NotChecked(`${service} tested ${results.length} of ${probes.length} cases of the rules.`);
  return sorted(probes.filter((_, i) => results[i]?.state === "FAILURE"));
}

/**
 * Asks an emulator as a player's app would ask, for documents that do not exist. A write requires that its document
 * exists, so nothing is ever written, and what would be allowed to create one is not seen.
 * @throws NotChecked where it fails to answer, which allows and refuses nothing
 */
export async function triedOnEmulator(
  { project, database }: Pick<Patient, "project" | "database">,
  host: string,
): Promise<Tried> {
  const documents = `http://${host}/v1/projects/${project}/databases/${database}/documents`;
  const headers = { Authorization: `Bearer ${playerToken(project)}` };
  const asked = probes.filter(({ method }) => method !== "create");
  const isAllowed = await Promise.all(
    asked.map(async ({ method, path }) => {
      const existing = method === "get" ? "" : "?currentDocument.exists=true";
      const { status } = await fetch(`${documents}/${path}${existing}`, {
        method: { get: "GET", update: "PATCH", delete: "DELETE", create: "PATCH" }[method],
        headers,
        ...(method === "update" ? { body: '{"fields":{"score":{"integerValue":"1"}}}' } : {}),
      });
      if (status >= 500)
        throw new NotChecked(
          `The emulator answered ${status} to a request that tries its rules. Run doctor again.`,
        );
      return status !== 403 && status !== 401;
    }),
  );
  return sorted(asked.filter(({ should }, i) => isAllowed[i] !== (should === "ALLOW")));
}

/** The emulator takes tokens without a signature. */
function playerToken(project: string): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: `https://securetoken.google.com/${project}`,
    aud: project,
    sub: stranger,
    user_id: stranger,
    auth_time: seconds,
    iat: seconds,
    exp: seconds + 600,
    firebase: { sign_in_provider: "anonymous", identities: {} },
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}
