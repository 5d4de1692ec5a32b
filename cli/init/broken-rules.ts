/** Whether the owner's own rules compile: a Firestore emulator that runs is asked, as nothing else on a computer knows it. */
import { z } from "zod";
import { runningFirestores } from "../hub.ts";
import { jsonIn } from "./json-file.ts";

const refusal = z.object({ error: z.object({ message: z.string() }) });

/** A project that nobody has, so that no rules in use are replaced. */
const nobodys = "demo-firerank-init";

/** A note with the place of the first fault; none for rules that compile, or where no emulator runs. */
export async function brokenRules(
  rules: { path: string; text: string } | undefined,
  environment: Record<string, string | undefined>,
  find = runningFirestores,
): Promise<string[]> {
  const [host] = rules === undefined ? [] : await find(environment);
  if (rules === undefined || host === undefined) return [];
  const { path, text } = rules;
  const files = [{ name: path, content: text }];
  try {
    const response = await fetch(`http://${host}/emulator/v1/projects/${nobodys}:securityRules`, {
      method: "PUT",
      headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
      body: JSON.stringify({ rules: { files } }),
      signal: AbortSignal.timeout(10_000),
    });
    if (response.status !== 400) return [];
    const why = refusal.safeParse(jsonIn(await response.text())).data?.error.message.trim() ?? "";
    return [
      `YOUR OWN RULES DO NOT COMPILE, before Firerank's come to them, so neither the emulators nor a deploy takes ${path}: ${why}`,
    ];
  } catch {
    return []; // It ended in between, or is of another kind.
  }
}
