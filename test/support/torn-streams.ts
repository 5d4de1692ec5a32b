/**
 * A fault of Google's emulator: over gRPC it sometimes interleaves two messages of one listener's stream
 * (https://github.com/firebase/firebase-tools/issues/8654). The client library then sees a message of gigabytes, and
 * listens again only up to 90 seconds later. A test that detects this ends with an error that names the issue;
 * vitest.config.ts retries tests only after this error.
 */
import "firebase/firestore";
import { onLog } from "firebase/app";

let torn = 0;

onLog(
  ({ message }) => {
    if (message.includes("Received message larger than max")) torn += 1;
  },
  { level: "warn" },
);

/** How many streams were torn in this process. */
export function tornStreams(): number {
  return torn;
}
