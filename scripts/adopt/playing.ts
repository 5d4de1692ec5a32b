/** What an app does on a project's emulators, by plain requests. */
import { region } from "../project.ts";
import type { OwnProject } from "./own-project.ts";

export interface Account {
  uid: string;
  /** @returns a token, which has the claims of now */
  signIn: () => Promise<string>;
}

/** A new user. */
export async function signUp({ ports }: OwnProject): Promise<Account> {
  const email = `${Math.random().toString(36).slice(2)}@example.com`;
  const ask = (method: string) =>
    post(
      `http://127.0.0.1:${ports.auth}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=any`,
      { email, password: "password", returnSecureToken: true },
      {},
    ) as Promise<{ localId: string; idToken: string }>;
  const { localId: uid } = await ask("signUp");
  return { uid, signIn: async () => (await ask("signInWithPassword")).idToken };
}

/** Calls a function. @param prefix what its name begins with */
export async function call(
  { id, ports }: OwnProject,
  prefix: string | undefined,
  name: string,
  data: object,
  idToken: string,
): Promise<Record<string, unknown>> {
  const deployed = prefix === undefined ? name : `${prefix}-${name}`;
  const url = `http://127.0.0.1:${ports.functions}/${id}/${region}/${deployed}`;
  const answer = await post(url, { data }, { Authorization: `Bearer ${idToken}` });
  return (answer as { result: Record<string, unknown> }).result;
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}
