/** Google's REST APIs as the checks ask them: one small interface, over HTTP. */
import { z } from "zod";
import { firstProblem } from "../../functions/src/model/errors.ts";
import { listed, NotChecked } from "./finding.ts";

/** The host of an API, such as `cloudtasks.googleapis.com`. */
export type Service = `${string}.googleapis.com`;
/** The host of a site of Hosting, which no token is sent to. */
export type Site = `${string}.web.app`;

export interface Api {
  /** Reads a resource; undefined where there is none. @throws NotChecked with the reason and what helps */
  get<T>(service: Service, path: string, schema: z.ZodType<T>): Promise<T | undefined>;
  /** The same by POST, for the methods that Google has made so though they only read. */
  post<T>(service: Service, path: string, schema: z.ZodType<T>, body?: object): Promise<T | undefined>;
  /** All pages of a list; an empty one where there is none. @throws NotChecked also where a part of it is missing */
  list<T>(service: Service, path: string, key: string, schema: z.ZodType<T>, how?: ListHow): Promise<T[]>;
  /** The first page of a site, as a visitor gets it; empty where there is none. @throws NotChecked where nobody answers */
  page(site: Site): Promise<string>;
}

export interface ListHow {
  /** In the query of the next page; one API differs. */
  pageTokenName?: string;
  /** Stops after so many, for lists that may be huge. */
  most?: number;
}

export interface ApiOptions {
  project: string;
  token: () => Promise<string>;
  /** Where an API is; undefined where it is not at all, as most are on emulators. */
  addressOf: (service: Service | Site) => string | undefined;
}

const answerMsMax = 30_000;
const pagesMax = 1_000;

const onePage = z.looseObject({
  nextPageToken: z.string().optional(),
  /** Places that did not answer, so that the list lacks what is there. */
  unreachable: z.array(z.string()).default([]),
});
const errorAnswer = z.object({
  error: z.object({
    message: z.string().default(""),
    details: z.array(z.looseObject({ reason: z.string().optional() })).default([]),
  }),
});

export const googleAddress = (service: Service | Site) => `https://${service}`;

export function createApi({ project, token, addressOf }: ApiOptions): Api {
  async function send(service: Service, path: string, body?: object): Promise<unknown> {
    const address = addressOf(service);
    if (address === undefined) throw new NotChecked("The emulators have no such API.", { isAbsent: true });
    const url = `${address}/${path}`;
    let { status, text } = await ask(url, { token, body });
    // The credentials of a person need to say which project's quota a request uses.
    if (status === 403 && text.includes("quota project"))
      ({ status, text } = await ask(url, { token, body, headers: { "x-goog-user-project": project } }));
    if (status === 404) return undefined;
    if (status >= 200 && status < 300) return json(service, text);
    throw refusal(service, project, status, text);
  }

  const api: Api = {
    async get(service, path, schema) {
      const answer = await send(service, path);
      return answer === undefined ? undefined : read(service, answer, schema);
    },
    async post(service, path, schema, body = {}) {
      const answer = await send(service, path, body);
      return answer === undefined ? undefined : read(service, answer, schema);
    },
    async list(service, path, key, schema, { pageTokenName = "pageToken", most = Infinity } = {}) {
      const items = z.array(schema).default([]);
      const found: z.infer<typeof schema>[] = [];
      let next = "";
      for (let page = 0; found.length < most; page++) {
        if (page === pagesMax)
          throw new NotChecked(`The list of ${service} has more than ${pagesMax} pages.`);
        const mark = path.includes("?") ? "&" : "?";
        const more = next === "" ? "" : `${mark}${pageTokenName}=${encodeURIComponent(next)}`;
        const answer = await api.get(service, `${path}${more}`, onePage);
        if (answer === undefined && page === 0) break;
        if (answer === undefined) throw new NotChecked(`The list of ${service} ended before its last page.`);
        if (answer.unreachable.length > 0)
          throw new NotChecked(
            `The list of ${service} is not complete, as it could not reach ${listed(answer.unreachable)}.`,
          );
        found.push(...read(service, answer[key], items));
        next = answer.nextPageToken ?? "";
        if (next === "") break;
      }
      return found;
    },
    async page(site) {
      const address = addressOf(site);
      if (address === undefined) return "";
      const { status, text } = await ask(`${address}/`);
      return status === 200 ? text : "";
    },
  };
  return api;
}

interface Asking {
  token?: () => Promise<string>;
  headers?: Record<string, string>;
  body?: object | undefined;
}

/** Asks by POST if there is a body. @throws NotChecked where nobody answers */
async function ask(
  url: string,
  { token, headers = {}, body }: Asking = {},
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${await token()}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMsMax),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
    throw new NotChecked(`${new URL(url).host} could not be asked (${why}).`);
  }
}

function read<T>(service: Service, answer: unknown, schema: z.ZodType<T>): T {
  const { data, error } = schema.safeParse(answer);
  if (error === undefined) return data;
  throw new NotChecked(
    `${service} answers in a form that this version does not know (${firstProblem(error)}).`,
  );
}

function json(service: Service, text: string): unknown {
  const value = text === "" ? {} : jsonIn(text);
  if (value === undefined) throw new NotChecked(`${service} did not answer with JSON.`);
  return value;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(service: Service, project: string, status: number, text: string): NotChecked {
  const said = errorAnswer.safeParse(jsonIn(text)).data?.error;
  if (said?.details.some(({ reason }) => reason === "SERVICE_DISABLED") === true)
    return new NotChecked(`The API ${service} is off in project ${project}.`, {
      byHand: `gcloud services enable ${service} --project ${project}, and run the command again`,
    });
  const message = said?.message ?? text.slice(0, 200);
  return new NotChecked(
    status === 401 || status === 403
      ? `Your credentials may not ask ${service}: ${message}`
      : `${service} answered with HTTP ${status}: ${message}`,
  );
}
