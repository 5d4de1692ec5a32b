import { FirebaseError } from "firebase/app";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askAgainMs, askUntilReached } from "./ask-until-reached.ts";

/** The browser's window, for its events. */
let window: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const unavailable = new FirebaseError("unavailable", "Firestore cannot be reached.");
const asking = (...answers: (string | Error)[]) => {
  const heard: unknown[] = [];
  const ask = vi.fn(async () => {
    const answer = answers.shift() ?? "asked too often";
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const stop = askUntilReached(
    ask,
    (value) => heard.push(value),
    (error, asksAgain) => heard.push([error, asksAgain]),
  );
  return { ask, heard, stop };
};

test("while Firestore cannot be reached, each failure is reported, and then the answer", async () => {
  const { heard } = asking(unavailable, unavailable, "here");
  await vi.advanceTimersByTimeAsync(2 * askAgainMs);
  expect(heard).toEqual([[unavailable, true], [unavailable, true], "here"]);
});

test("when the network is back, one more attempt is made at once", async () => {
  const { ask, heard } = asking(unavailable, "here");
  await vi.advanceTimersByTimeAsync(0);
  window.dispatchEvent(new Event("online"));
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual([[unavailable, true], "here"]);
  await vi.advanceTimersByTimeAsync(10 * askAgainMs);
  window.dispatchEvent(new Event("online"));
  expect(ask).toHaveBeenCalledTimes(2);
});

test("another error is final", async () => {
  const refused = new FirebaseError("permission-denied", "no");
  const { ask, heard } = asking(refused);
  await vi.advanceTimersByTimeAsync(10 * askAgainMs);
  expect(heard).toEqual([[refused, false]]);
  expect(ask).toHaveBeenCalledTimes(1);
});

test("after a caller has stopped, nothing is reported or requested any more", async () => {
  const early = asking("here");
  early.stop();
  const late = asking(unavailable, "here");
  await vi.advanceTimersByTimeAsync(askAgainMs / 2);
  late.stop();
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(10 * askAgainMs);
  expect([early.heard, late.heard]).toEqual([[], [[unavailable, true]]]);
  expect(late.ask).toHaveBeenCalledTimes(1);
});
