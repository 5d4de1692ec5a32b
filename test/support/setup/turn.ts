/** Waits until no other file of this kind runs. Its process ends after the file, and its turn with it. */
import { takeTurn } from "../../../scripts/turns.ts";
import "./suite.ts";

await takeTurn();
