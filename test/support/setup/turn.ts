/** Waits until no other file of this kind is running. The turn ends with the file's process. */
import { takeTurn } from "../../../scripts/turns.ts";
import "./suite.ts";

await takeTurn();
