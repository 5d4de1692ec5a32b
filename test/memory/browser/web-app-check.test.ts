/** The dashboard and App Check: built with a site key and without, at an address where nothing answers but this file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { Browser, Route } from "playwright-core";
import { build } from "vite";
import { root, workFolder } from "../../../scripts/project.ts";
import { launchChromium, test } from "../../support/chromium.ts";

const address = "https://ranks.example";
const token = "token-of-app-check";

const { hosting } = JSON.parse(readFileSync(join(root, "firebase.json"), "utf8")) as {
  hosting: { headers: { headers: { key: string; value: string }[] }[] };
};
const headers = Object.fromEntries((hosting.headers[0]?.headers ?? []).map(({ key, value }) => [key, value]));
const project = {
  projectId: "my-game",
  apiKey: "AIza",
  appId: "1:123456789:web:abc",
  authDomain: "my-game.firebaseapp.com",
};

/** What the page needs of reCAPTCHA's script. */
const recaptcha = `
  let pass;
  window.grecaptcha = { enterprise: {
    ready: (call) => call(),
    render: (_, { callback }) => { pass = callback; return 0; },
    execute: async () => { pass(); return "passed"; },
  } };
`;

const observe = `
  window.evals = 0;
  addEventListener("securitypolicyviolation", ({ blockedURI }) => { if (blockedURI === "eval") evals++; });
`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await browser.close();
});

/** Builds the dashboard with this key, opens it, and tries to load reCAPTCHA's script by hand. */
async function visit(key: string) {
  vi.stubEnv("VITE_FIRERANK_APP_CHECK_KEY", key);
  const outDir = join(workFolder(), `web-app-check-${key}`);
  await build({ configFile: join(root, "web", "vite.config.ts"), build: { outDir }, logLevel: "error" });
  const page = await browser.newPage();
  await page.addInitScript({ content: observe });
  const asked: string[] = [];
  await page.route("**/*", async (route) => {
    const request = route.request();
    asked.push([request.url(), JSON.stringify(request.headers()), request.postData() ?? ""].join(" "));
    await answer(route, new URL(request.url()), outDir);
  });
  await page.goto(`${address}/`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  // Zod has been told in time not to try.
  expect(await page.evaluate("evals")).toBe(0);
  return { page, asked };
}

async function answer(route: Route, { origin, pathname }: URL, outDir: string): Promise<void> {
  const open = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
  if (origin === address && pathname === "/__/firebase/init.json") await route.fulfill({ json: project });
  else if (origin === address) {
    const path = join(outDir, pathname === "/" ? "index.html" : pathname);
    await route.fulfill({ path, headers: { ...headers, "Content-Type": typeOf(path) } });
  } else if (pathname === "/recaptcha/enterprise.js")
    await route.fulfill({ contentType: "text/javascript", body: recaptcha });
  else if (pathname.endsWith(":exchangeRecaptchaEnterpriseToken"))
    await route.fulfill({ json: { token, ttl: "3600s" }, headers: open });
  else await route.fulfill({ status: 200, body: "", headers: open });
}

const typeOf = (path: string) =>
  ({ html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" })[
    path.split(".").at(-1) ?? ""
  ] ?? "font/woff2";

const isOfFirestore = (one: string) => /^https:\/\/(firestore|[^/]*cloudfunctions)\./.test(one);

test("with a key, what it asks has a token of App Check", async () => {
  const { asked } = await visit("6Ldp");
  await expect.poll(() => asked.filter(isOfFirestore).length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(asked.filter((one) => one.includes("enterprise.js")).length).toBe(1);
  expect(asked.find(isOfFirestore)).toContain(token);
});

test("without a key it asks nobody for a token, and its policy refuses reCAPTCHA", async () => {
  const { page, asked } = await visit("");
  const outcome = await page.evaluate(`new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = "https://www.google.com/recaptcha/enterprise.js";
    script.onload = () => resolve("loaded");
    script.onerror = () => resolve("refused");
    document.head.append(script);
  })`);
  expect(outcome).toBe("refused");
  await expect.poll(() => asked.filter(isOfFirestore).length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(asked.join("\n")).not.toContain("recaptcha");
});
