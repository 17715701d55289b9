import { LRUCache } from 'lru-cache';
import type { App } from '../../../app.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { Changes } from '../../../platform/input/changes.ts';
import { countCall, countsAt, passes, type CallCounts, type CallWindow } from './call-window.ts';
import { endTrial, openCircuit, type Circuit } from './circuit.ts';
import { insertCircuit, removeCircuit, replaceCircuit } from './circuits.sql.ts';
import { recordCircuitEvent } from './event.ts';
import { isTechnicalFailure } from './failure.ts';
import { thresholdOf } from './threshold.ts';
import type { Trial } from './trial.ts';

/** A payment service as a payment found it. */
export type Standing = {
  /** The open circuit of the service. Null without one. */
  readonly circuit: Circuit | null;
  /** The trial that the payment has. Null for every other payment. */
  readonly trial: Trial | null;
};

/** The standing of a service without an open circuit, and of one whose circuit nobody has read. */
export const WELL: Standing = { circuit: null, trial: null };

/** A request for an authorisation that has ended. */
export type EndedCall = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  readonly standing: Standing;
  readonly outcome: Outcome;
};

/**
 * Hears how a request for an authorisation ended. Opens the circuit of a service whose failures pass the threshold, and ends a trial
 * with its result. Any other request is counted in memory alone. An open circuit counts nothing but trials.
 *
 * The payment is settled before. An error is logged, and changes nothing for the payment. The next failure then opens the circuit, and
 * a lease frees a trial.
 */
export async function hearEnd(app: App, call: EndedCall): Promise<void> {
  const threshold = thresholdOf(app);
  if (!threshold) return;
  const { merchantAccountId, paymentServiceId, standing, outcome } = call;
  const windows = windowsOf(app.serviceChanges);
  const key = `${merchantAccountId} ${paymentServiceId}`;
  const failed = isTechnicalFailure(outcome);
  const now = app.clock.now();
  if (standing.circuit) windows.delete(key);
  else windows.set(key, countCall(windows.get(key) ?? [], { failed, now }));
  const counts = countsAt(windows.get(key) ?? [], now);
  const opens = failed && passes(counts, threshold);
  if (opens) windows.delete(key);
  try {
    if (standing.trial) await concludeTrial(app, standing.trial, failed);
    else if (opens) await open(app, call, counts);
  } catch (error) {
    app.log.error({ paymentServiceId, err: error }, 'The circuit of a payment service could not be written.');
  }
}

async function open(
  app: App,
  { merchantAccountId, paymentServiceId }: EndedCall,
  counts: CallCounts,
): Promise<void> {
  const opening = { merchantAccountId, paymentServiceId, id: app.ids.uuid(), ...counts };
  const circuit = openCircuit(opening, app.clock.now());
  await failpoint('circuit.opening');
  const opened = await app.db.transaction(async (tx) => {
    const inserted = await insertCircuit(tx, circuit);
    if (inserted) await recordCircuitEvent(app, tx, 'opened', circuit);
    return inserted;
  });
  if (!opened) return;
  app.wakeRelay();
  app.log.warn(
    { merchantAccountId, paymentServiceId, ...counts },
    'A payment service fails, and others go first.',
  );
}

async function concludeTrial(app: App, trial: Trial, failed: boolean): Promise<void> {
  const { merchantAccountId, paymentServiceId } = trial;
  const after = endTrial(trial, { failed, now: app.clock.now() });
  await failpoint('circuit.tried');
  if (after) {
    await replaceCircuit(app.db, trial, after);
    return;
  }
  const closed = await app.db.transaction(async (tx) => {
    const removed = await removeCircuit(tx, trial);
    if (removed) await recordCircuitEvent(app, tx, 'closed', trial);
    return removed;
  });
  if (!closed) return;
  app.wakeRelay();
  app.log.info(
    { merchantAccountId, paymentServiceId },
    'A payment service works again, and has its place back.',
  );
}

/** The services whose calls a process counts. Each takes some hundred bytes. */
const SERVICES_MAX = 10_000;

/** The calls of each running service in this program. */
const windowsOf: (changes: Changes) => LRUCache<string, CallWindow> = oncePer(
  () => new LRUCache({ max: SERVICES_MAX }),
);
