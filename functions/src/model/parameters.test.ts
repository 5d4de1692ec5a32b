import { expect, test } from "vitest";
import { checkParameters, isClockOff, parameterNames, parameters, valueIn, wrongIn } from "./parameters.ts";

test.each(parameterNames)("the default of %s is a value", (name) => {
  expect(wrongIn(name, parameters[name].default)).toBeUndefined();
});

test.each([
  ["ENFORCE_APP_CHECK", ["true", "false"]],
  ["DIRECT_WRITES", ["true", "false"]],
  ["MAX_INSTANCES", ["1", "20", "9999"]],
  ["MEMORY_MIB", ["256", "1024", "32768"]],
  ["REGION", ["us-central1", "northamerica-northeast2"]],
  ["DATABASE", ["(default)", "games", "a-b1"]],
] as const)("%s takes %j", (name, texts) => {
  expect(texts.map((text) => wrongIn(name, text))).toEqual(texts.map(() => undefined));
});

const refused = [
  ...(["ENFORCE_APP_CHECK", "DIRECT_WRITES"] as const).map(
    (name) =>
      [
        name,
        ["TRUE", "True", "1", "0", "yes", "y", "no", "on", "off", "true ", " false", "", '"true"'],
      ] as const,
  ),
  ["MAX_INSTANCES", ["20 max", "1_000", "", "0", "-1", "1e3", "20.0", "10000", "0x14"]],
  ["MEMORY_MIB", ["", "512MiB", "1000", "128", "1_024"]],
  ["REGION", ["", "eur3", "us-central1 ", "US-central1", "us-central1,europe-west1"]],
  ["DATABASE", ["", "Games", "default", "a_b-c", "games "].filter((text) => text !== "default")],
] as const;
test.each(refused.flatMap(([name, texts]) => texts.map((text) => [name, text] as const)))(
  "%s=%j ends the load with a sentence that says what it takes",
  (name, text) => {
    expect(() => checkParameters({ [name]: text })).toThrow(`It takes ${parameters[name].words}.`);
  },
);

test("a sentence shows the text as it is, and names every parameter that is wrong", () => {
  expect(() =>
    checkParameters({ ENFORCE_APP_CHECK: "true ", DIRECT_WRITES: "", REGION: "us-central1" }),
  ).toThrow(
    'Firerank does not start: ENFORCE_APP_CHECK is "true ". It takes true or false. DIRECT_WRITES has nothing after =. ' +
      "It takes true or false. Write it so into the codebase's .env.",
  );
});

test("on the emulators a sentence names all places where a text may be set", () => {
  expect(() => checkParameters({ FUNCTIONS_EMULATOR: "true", DIRECT_WRITES: "no" })).toThrow(
    'DIRECT_WRITES is "no". It takes true or false. Write it so where it is set: in the .env or .env.local of the codebase, ' +
      "or in the environment.",
  );
});

test("the emulators' clock is off, or on, and nothing else", () => {
  const read = (text: string | undefined) => {
    const environment = { FUNCTIONS_EMULATOR: "true", FIRERANK_EMULATOR_CLOCK: text };
    checkParameters(environment);
    return isClockOff(environment);
  };
  expect([undefined, "", "on", "off"].map(read)).toEqual([false, false, false, true]);
  for (const text of ["OFF", "false", "0", "off "])
    expect(() => read(text)).toThrow(
      `Firerank does not start: FIRERANK_EMULATOR_CLOCK is "${text}". It takes on or off. `,
    );
  // It says nothing to deployed functions.
  expect(() => checkParameters({ FIRERANK_EMULATOR_CLOCK: "OFF" })).not.toThrow();
});

test("what nothing sets has its default, and does not end the load", () => {
  expect(() => checkParameters({ ENFORCE_APP_CHECK: undefined, OTHER: "TRUE" })).not.toThrow();
  expect(parameterNames.map((name) => valueIn({}, name))).toEqual(
    parameterNames.map((name) => parameters[name].default),
  );
  expect(valueIn({ ENFORCE_APP_CHECK: "false" }, "ENFORCE_APP_CHECK")).toBe("false");
});
