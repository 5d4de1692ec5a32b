/** The dashboard in a real Chromium, served by the Hosting emulator beside all the others. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { patienceMs } from "../support/patience.ts";

export interface Dashboard {
  address: string;
  /**
   * Opens an address in a separate browser, so that only the user in `as` is signed in. What the page reports while it
   * is open (errors, refusals of the Content-Security-Policy) fails the test at {@link Visit.close}.
   */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

export interface VisitOptions {
  as?: "admin" | "player" | "nobody";
  browser?: BrowserContextOptions;
  /** Errors and refusals that the test causes on purpose. */
  expected?: RegExp;
}

export interface Visit {
  page: Page;
  /** The errors that the page has reported so far. */
  problems(): string[];
  /** How much has moved by itself since the page was opened: the sum of all layout shifts, and what moved. */
  shift(): Promise<{ shift: number; moved: string[] }>;
  close(): Promise<void>;
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

/** Starts a browser. Needs the whole suite, which \`npm test\` starts. */
export async function openDashboard(): Promise<Dashboard> {
  const address = process.env["FIRERANK_DASHBOARD"];
  if (address === undefined) throw new Error("The dashboard is not served: run these tests with `npm test`.");
  const browser = await launchChromium();
  return {
    address,
    visit: (path, options = {}) => visit(browser, address, path, options),
    close: () => browser.close(),
  };
}

async function visit(
  browser: Browser,
  address: string,
  path: string,
  { as = "nobody", browser: settings = {}, expected }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: address, ...settings });
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
  if (as !== "nobody") await signIn(page, as);
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

async function signIn(page: Page, as: "admin" | "player"): Promise<void> {
  await page.goto("/sign-in");
  await page
    .getByRole("button", { name: as === "admin" ? "Sign in as admin" : "Sign in as a player" })
    .click();
  await page.waitForURL("**/boards");
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
