import { createHash } from 'node:crypto';

/**
 * The circuit of a payment service whose provider fails. A service that is well has none.
 *
 * While a circuit is open, routing sets its service behind the others. Single payments try the service again, one at a time over all
 * processes.
 */
export type Circuit = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  /** Names the opening. Each opening has an id of its own. */
  readonly id: string;
  /** Rises with each change, from 1. A change names the version that it was decided on. */
  readonly version: number;
  readonly openedAt: Date;
  /** The time of the next trial. During a trial, the end of its lease. */
  readonly tryAgainAt: Date;
  /** The calls of one process in the last minute before the opening, and the technical failures among them. */
  readonly calls: number;
  readonly failures: number;
  /** The trials that failed since the opening. */
  readonly failedTrials: number;
  /** The consecutive trials that the provider answered, 0 to 2. The third one closes the circuit. */
  readonly answeredTrials: number;
};

/** The state of a circuit. `half_open`: the latest trial was answered, and further ones follow at once. */
export type CircuitState = 'open' | 'half_open';

export const stateOf = ({ answeredTrials }: Pick<Circuit, 'answeredTrials'>): CircuitState =>
  answeredTrials > 0 ? 'half_open' : 'open';

/** True when a payment may try the service again. False during a trial, until its lease ends. */
export const isDue = ({ tryAgainAt }: Pick<Circuit, 'tryAgainAt'>, now: Date): boolean => tryAgainAt <= now;

/** The facts of an opening. `calls` and `failures` are those of one process in the last minute. */
export type Opening = Pick<Circuit, 'merchantAccountId' | 'paymentServiceId' | 'id' | 'calls' | 'failures'>;

/** Opens a circuit. The first trial comes after the first pause. */
export const openCircuit = (opening: Opening, now: Date): Circuit => ({
  ...opening,
  ...{ version: 1, failedTrials: 0, answeredTrials: 0 },
  openedAt: now,
  tryAgainAt: afterPause(now, { id: opening.id, failedTrials: 0 }),
});

/** Begins a trial. No other trial begins before the end of the lease. */
export const beginTrial = (circuit: Circuit, leaseUntil: Date): Circuit => ({
  ...circuit,
  version: circuit.version + 1,
  tryAgainAt: latest(leaseUntil, circuit.openedAt),
});

/** Ends a trial without a result: its payment asked no provider. The next payment may try. */
export const giveUpTrial = (trial: Circuit, now: Date): Circuit => ({
  ...trial,
  version: trial.version + 1,
  tryAgainAt: latest(now, trial.openedAt),
});

/**
 * Ends a trial with its result. Null: the circuit closes. An answered trial lets the next one follow at once. A failed one doubles
 * the pause, and the trials answered before count no longer.
 */
export function endTrial(
  trial: Circuit,
  { failed, now }: { readonly failed: boolean; readonly now: Date },
): Circuit | null {
  if (!failed) {
    const answeredTrials = trial.answeredTrials + 1;
    return answeredTrials >= ANSWERS_TO_CLOSE ? null : { ...giveUpTrial(trial, now), answeredTrials };
  }
  const failedTrials = trial.failedTrials + 1;
  const tryAgainAt = latest(afterPause(now, { id: trial.id, failedTrials }), trial.openedAt);
  return { ...trial, version: trial.version + 1, failedTrials, answeredTrials: 0, tryAgainAt };
}

/** One answer may be luck during an outage. */
export const ANSWERS_TO_CLOSE = 3;

/** The pause before the first trial. Each failed trial doubles the pause. */
export const PAUSE_MIN_MS = 30_000;
export const PAUSE_MAX_MS = 300_000;

/** A part of the pause is spread, so that the services of one provider are not tried again together. */
const SPREAD = 0.1;

const afterPause = (now: Date, { id, failedTrials }: Pick<Circuit, 'id' | 'failedTrials'>): Date => {
  const pauseMs = Math.min(PAUSE_MIN_MS * 2 ** Math.min(failedTrials, 30), PAUSE_MAX_MS);
  return new Date(now.getTime() + Math.round(pauseMs * (1 + SPREAD * shareOf(`${id} ${failedTrials}`))));
};

/** Returns a number from 0 to 1 that depends on the text alone. */
const shareOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) / 0xffff_ffff;

/** A clock that was set back must not move a trial before the opening. */
const latest = (one: Date, other: Date): Date => (one >= other ? one : other);
