/** The dashboard in a real Chromium, served by the Hosting emulator beside all the others. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { launchChromium } from "../chromium.ts";
import { patienceMs } from "../patience.ts";

export interface Dashboard {
  address: string;
  /**
   * Opens an address in a separate browser until the test ends, so that only the user in `as` is signed in. What the page
   * reports (errors, refusals of the Content-Security-Policy) fails the test at its end.
   */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

export interface VisitOptions {
  as?: Account | "nobody";
  browser?: BrowserContextOptions;
  /** Errors and refusals that the test causes on purpose. */
  expected?: RegExp;
}

export interface Visit {
  page: Page;
  /** The errors that the page has reported so far. */
  problems(): string[];
  /** How much has moved by itself since the page was opened: the sum of all layout shifts, and what moved. */
  shift: () => Promise<{ shift: number; moved: string[] }>;
}

/** Firestore's library reports this when the emulators are busy; it recovers when they answer. */
const ofSlowness = "Backend didn't respond within 10 seconds";

/** What only the browser knows: refusals of the policy, and layout shifts without user input. */
const observe = `
  window.seen = { refusals: [], shift: 0, moved: [] };
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    seen.refusals.push(violatedDirective + " " + blockedURI);
  });
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      seen.shift += value;
      seen.moved.push(...sources.map(({ node }) => node?.className || node?.nodeName));
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

/** Starts a browser. Needs the whole suite, which `npm test` starts. @param address where the dashboard is served, if not by Hosting */
export async function openDashboard(address = process.env["FIRERANK_DASHBOARD"]): Promise<Dashboard> {
  if (address === undefined) throw new Error("The dashboard is not served: run these tests with `npm test`.");
  const browser = await launchChromium();
  const sessions = new Map<Account, Promise<Session>>();
  const sessionOf = (as: Account) => {
    const session = sessions.get(as) ?? signIn(browser, address, as);
    sessions.set(as, session);
    return session;
  };
  return {
    address,
    async visit(path, { as = "nobody", browser: settings = {}, ...options } = {}) {
      const session = as === "nobody" ? {} : { storageState: await sessionOf(as) };
      const context = await browser.newContext({ baseURL: address, ...session, ...settings });
      const { close, ...visited } = await visit(context, path, options);
      onTestFinished(close);
      return visited;
    },
    close: () => browser.close(),
  };
}

async function visit(
  context: BrowserContext,
  path: string,
  { expected }: Pick<VisitOptions, "expected">,
): Promise<Visit & { close: () => Promise<void> }> {
  context.setDefaultTimeout(patienceMs());
  await context.addInitScript({ content: observe });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  const problems = () =>
    errors.filter((error) => !error.includes(ofSlowness) && expected?.test(error) !== true);
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return {
    page,
    problems,
    shift: () =>
      page.evaluate<{ shift: number; moved: string[] }>("({ shift: seen.shift, moved: seen.moved })"),
    close: () => close(context, page, problems, expected),
  };
}

type Account = "admin" | "player";
type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Signs in on the page for it, once for all visits; returns what the browser then keeps, as for a user's next visit. */
async function signIn(browser: Browser, address: string, as: Account): Promise<Session> {
  const context = await browser.newContext({ baseURL: address });
  const visited = await visit(context, "/sign-in", {});
  const { page } = visited;
  await page
    .getByRole("button", { name: as === "admin" ? "Sign in as admin" : "Sign in as a player" })
    .click();
  await page.waitForURL("**/boards");
  const session = await context.storageState({ indexedDB: true });
  await visited.close();
  return session;
}

async function close(
  context: BrowserContext,
  page: Page,
  problems: () => string[],
  expected: RegExp | undefined,
): Promise<void> {
  const seen = await page.evaluate<string[]>("seen.refusals");
  const refusals = seen.filter((refusal) => expected?.test(refusal) !== true);
  await context.close();
  expect({ problems: problems(), refusals }).toEqual({ problems: [], refusals: [] });
}
