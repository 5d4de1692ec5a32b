import { expect, test } from "vitest";
import { postInstallPage } from "./package.ts";
import { postInstall } from "./post-install.ts";

test("POSTINSTALL.md is printed with the default addresses where firebase.json names no others", () => {
  const text = postInstall(postInstallPage(), { firebaseJson: "{}", prefix: undefined });
  expect(text).toMatch(/^See it work:\n/);
  expect(text).not.toContain("```");
  expect(text).toContain("\n  AUTH=http://127.0.0.1:9099/");
  expect(text).toContain("\n  FUNCTIONS=http://127.0.0.1:5001/demo-game/us-central1/\n");
});

test("ports of firebase.json and the prefix are in the commands", () => {
  const firebaseJson = '{"emulators": {"auth": {"port": 1}, "functions": {"port": 2}}}';
  const text = postInstall(postInstallPage(), { firebaseJson, prefix: "ranks" });
  expect(text).toContain("AUTH=http://127.0.0.1:1/");
  expect(text).toContain("FUNCTIONS=http://127.0.0.1:2/demo-game/us-central1/ranks-\n");
});

test("a firebase.json that is odd elsewhere is no reason to fail after all was written", () => {
  const firebaseJson = '{"emulators": {"auth": {"port": "9"}, "functions": 5}}';
  const text = postInstall(postInstallPage(), { firebaseJson, prefix: undefined });
  expect(text).toContain("AUTH=http://127.0.0.1:9099/");
});

test("the project of .firebaserc is in the commands; of one that is no demo, the emulators are meant", () => {
  const commandsFor = (project: string) => {
    const text = postInstall(postInstallPage(), { firebaseJson: "{}", prefix: undefined, project });
    expect(text).not.toContain("demo-game");
    return text.split("\n").filter((line) => line.includes(project));
  };
  expect(commandsFor("my-game")).toEqual([
    "  npx firebase emulators:start --project my-game",
    "  FUNCTIONS=http://127.0.0.1:5001/my-game/us-central1/",
    '  npx --no-install firerank grant "$ANN_ID" admin --project my-game --emulators',
    "  npx --no-install firerank dashboard --project my-game --emulators",
  ]);
  for (const command of commandsFor("demo-chess").slice(-2))
    expect(command).toMatch(/ (admin|dashboard) --project demo-chess$/);
});
