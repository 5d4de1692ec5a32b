/** Asks the user on a terminal. */
import { createInterface } from "node:readline/promises";

/** @returns the answer, without space around it */
export async function ask(input: NodeJS.ReadableStream, question: string): Promise<string> {
  const prompt = createInterface({ input, output: process.stderr });
  const answer = await prompt.question(question);
  prompt.close();
  return answer.trim();
}
