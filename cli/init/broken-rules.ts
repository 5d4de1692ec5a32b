/** Whether the owner's own rules compile: a Firestore emulator that runs is asked, as nothing else on a computer knows it. */
import { z } from "zod";
import { runningFirestores } from "../hub.ts";
import { jsonIn } from "./json-file.ts";

const compiled = z.object({
  issues: z
    .array(
      z.object({
        severity: z.string(),
        description: z.string(),
        sourcePosition: z.object({ line: z.int().optional() }).default({}),
      }),
    )
    .default([]),
});

/** A project that nobody has, so that no rules in use are replaced. */
const nobodys = "demo-firerank-init";

/** A note with the first faults and their lines; none for rules that compile, or where no emulator runs. */
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
      // As firebase-tools asks: then the answer has the faults.
      body: JSON.stringify({ ignore_errors: true, rules: { files } }),
      signal: AbortSignal.timeout(10_000),
    });
    const { issues = [] } = compiled.safeParse(jsonIn(await response.text())).data ?? {};
    const faults = issues.filter(({ severity }) => severity === "ERROR");
    const places = faults.map(
      ({ sourcePosition: { line = 0 }, description }) => `line ${line}: ${description}`,
    );
    if (places.length === 0) return [];
    return [
      `YOUR OWN RULES DO NOT COMPILE, before Firerank's come to them, so neither the emulators nor a deploy takes ${path}: ` +
        places.slice(0, 5).join("; "),
    ];
  } catch {
    return []; // It ended in between, or is of another kind.
  }
}
