/** The calls that submit: which submissions an instance may still commit, and to which seasons. */
import type { Life } from "./life.ts";
import { tickOf, WorldCheck } from "./setting.ts";
import type { Call, Submission } from "./work.ts";

/** A submission that an instance may still commit. */
export interface Waiting {
  call: Call;
  submission: Submission;
}

/** How long after its beginning a call may still be committed. */
const callsKeptMs = 15 * 60_000;

export class Calls extends WorldCheck<{ life: Life }> {
  private calls: Call[] = [];

  begin(
    cup: string | undefined,
    sent: Submission[],
    { name, skewMs }: { name: string; skewMs: number },
  ): Call {
    const [beganMs, beganTick] = [this.world.now(), tickOf(this.world)];
    const call = { cup, sent, over: new Set<Submission>(), instance: name, skewMs, beganMs, beganTick };
    this.calls.push(call);
    return call;
  }

  /** Nothing is under way any more. */
  rest(): void {
    this.calls = [];
  }

  /** The submissions of a player that an instance may still commit. */
  waitingFor(player: string, instance: string): Waiting[] {
    const oldest = this.world.now() - callsKeptMs;
    this.calls = this.calls.filter(({ beganMs }) => beganMs > oldest);
    return this.calls
      .filter((call) => call.instance === instance)
      .flatMap((call) => call.sent.map((submission) => ({ call, submission })))
      .filter(({ call, submission }) => submission.player === player && !call.over.has(submission));
  }

  /** The seasons that a call may have gone to, one choice for each possible moment of the call's arrival. */
  choicesOf({ cup, beganMs }: Call): string[][] {
    const { life, plan } = this.world;
    const [fromMs, untilMs] = [beganMs - plan.skewMsMax, beganMs + plan.skewMsMax];
    if (cup === undefined) return life.between(fromMs, untilMs).map((choice) => choice.map(({ id }) => id));
    const season = life.get(cup);
    if (season === undefined || season.opensMs > untilMs) return [];
    return fromMs < season.closesMs + life.lateMs(cup) ? [[cup]] : [];
  }
}

/** When a submission was achieved in microseconds, by the clock of the call's instance. */
export const achievedMicros = ({ call: { beganMs, skewMs, sent }, submission }: Waiting) =>
  1_000 * (Math.floor(beganMs) + skewMs) + sent.indexOf(submission);
