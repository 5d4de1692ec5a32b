/** Google's REST APIs as the checks ask them: one small interface, over HTTP. */
import { z } from "zod";
import { firstProblem } from "../../functions/src/model/errors.ts";
import { jsonIn } from "../init/json-file.ts";
import { listed, NotChecked } from "./finding.ts";

/** The host of an API, such as `cloudtasks.googleapis.com`. */
export type Service = `${string}.googleapis.com`;
/** The host of a site of Hosting, which no token is sent to. */
export type Site = `${string}.web.app`;

export type Api = ReturnType<typeof createApi>;

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

export function createApi({ project, token, addressOf }: ApiOptions) {
  async function send(service: Service, path: string, body?: object): Promise<unknown> {
    const address = addressOf(service);
    if (address === undefined) throw new NotChecked("The emulators have no such API.", { isAbsent: true });
    const url = `${address}/${path}`;
    let { status, text } = await request(url, { token, body });
    // The credentials of a person need to say which project's quota a request uses.
    if (status === 403 && text.includes("quota project"))
      ({ status, text } = await request(url, { token, body, headers: { "x-goog-user-project": project } }));
    if (status === 404) return undefined;
    if (status < 200 || status >= 300) throw refusal(service, project, status, text);
    const value = text === "" ? {} : jsonIn(text);
    if (value === undefined) throw new NotChecked(`${service} did not answer with JSON.`);
    return value;
  }

  async function ask<T>(service: Service, path: string, schema: z.ZodType<T>, body?: object) {
    const answer = await send(service, path, body);
    return answer === undefined ? undefined : read(service, answer, schema);
  }

  return {
    /** Reads a resource; undefined where there is none. @throws NotChecked with the reason and what helps */
    get: <T>(service: Service, path: string, schema: z.ZodType<T>) => ask(service, path, schema),
    /** The same by POST, for the methods that Google has made so though they only read. */
    post: <T>(service: Service, path: string, schema: z.ZodType<T>, body: object = {}) =>
      ask(service, path, schema, body),
    /**
     * All pages of a list; an empty one where there is none. One API has another name in the query of the next page.
     * @param how with the most items to read, where a list may be huge
     * @throws NotChecked also where a part of it is missing
     */
    async list<T>(
      service: Service,
      path: string,
      key: string,
      schema: z.ZodType<T>,
      { pageTokenName = "pageToken", most = Infinity } = {},
    ) {
      const items = z.array(schema).default([]);
      const found: T[] = [];
      let next = "";
      for (let page = 0; found.length < most; page++) {
        if (page === pagesMax)
          throw new NotChecked(`The list of ${service} has more than ${pagesMax} pages.`);
        const mark = path.includes("?") ? "&" : "?";
        const more = next === "" ? "" : `${mark}${pageTokenName}=${encodeURIComponent(next)}`;
        const answer = await ask(service, `${path}${more}`, onePage);
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
    /** The first page of a site, as a visitor gets it; empty where there is none. @throws NotChecked where nobody answers */
    async page(site: Site) {
      const address = addressOf(site);
      if (address === undefined) return "";
      const { status, text } = await request(`${address}/`);
      return status === 200 ? text : "";
    },
  };
}

/** Asks by POST if there is a body. @throws NotChecked where nobody answers */
async function request(
  url: string,
  { token, headers, body }: { token?: ApiOptions["token"]; headers?: object; body?: object | undefined } = {},
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

/** What an emulator says of itself. @throws NotChecked where it does not say `what` */
export async function askEmulator(name: string, host: string, path: string, what: string): Promise<object> {
  try {
    return (await (await fetch(`http://${host}/${path}`)).json()) as object;
  } catch (error) {
    const { message } = error as Error;
    throw new NotChecked(`The ${name} emulator at ${host} did not say ${what} (${message}).`);
  }
}

function read<T>(service: Service, answer: unknown, schema: z.ZodType<T>): T {
  const { data, error } = schema.safeParse(answer);
  if (error === undefined) return data;
  throw new NotChecked(
    `${service} answers in a form that this version does not know (${firstProblem(error)}).`,
  );
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
