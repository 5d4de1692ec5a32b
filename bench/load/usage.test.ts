/** The benches say how they are used. */
import { testUsage } from "../../test/support/usage.ts";

testUsage([
  { name: "bench", program: "bench/main.ts", args: [] },
  { name: "bench -- load", program: "bench/main.ts", args: ["load"] },
]);
