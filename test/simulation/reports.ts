import type { Entry } from './books.ts';
import { isReceivedOnly } from './harness.ts';
import { note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import { send, withoutDigits, type Names, type Sender } from './webhooks.ts';

// The payment providers report their decisions: before our answer, late, twice, or after a later change.

/** The probability that a provider whose answers decide nothing sends the webhook that does. */
const SURE = 0.97;

/** The probability that a provider also says that it has accepted the operation. This word may come last. */
const ALSO_ACCEPTED = 0.2;

/** The subjects of the events about each verb, and the words for each result. */
export const SUBJECTS = {
  authorize: 'authorization',
  increase: 'increase',
  reauthorize: 'reauthorize',
  capture: 'capture',
  refund: 'refund',
  void: 'void',
  cancel: 'cancel',
} as const;
export const RESULTS = {
  approved: 'succeeded',
  declined: 'declined',
  error: 'failed',
  pending: 'pending',
} as const;

/** Reports a decision, unless the provider of this history sends no webhooks. */
export function report(sender: Sender, entry: Entry): void {
  const { stage } = sender;
  const { report: chance } = stage.weather;
  if (chance === 0 || !stage.random.chance(isReceivedOnly(entry.address) ? SURE : chance)) return;
  entry.reported = tell(sender, entry, entry.result);
  if (stage.random.chance(ALSO_ACCEPTED)) tell(sender, entry, 'pending');
}

/** Sends the webhook of a decision. True when it names the operation by our key, so that we must know it. */
function tell(sender: Sender, entry: Entry, result: Entry['result']): boolean {
  const { stage } = sender;
  const { verb, request, code } = entry;
  const names = nameDecision(stage, entry, result);
  const body = {
    id: withoutDigits(`${entry.id} ${result} ${sender.sent.length} ${stage.later.length}`),
    ...names,
    event: `${SUBJECTS[verb]}.${RESULTS[result]}`,
    ...(result === 'approved' &&
      stage.random.chance(0.5) && { amount: request.amount, currency: request.currency }),
    ...(result !== 'pending' && { code }),
  };
  const times = stage.random.chance(0.3) ? 2 : 1;
  const process = stage.random.int(0, sender.apps.length - 1);
  const run = (): void => {
    count(stage.tally, 'reported by webhook', body.event);
    note(stage, entry.place, `reports ${JSON.stringify(body)}`);
    send(sender, entry, { body, times, process });
  };
  const delayMs = stage.random.weighted(DELAYS_MS);
  if (delayMs === 0) run();
  else stage.later.push({ at: stage.now + delayMs, run });
  return names.idempotency_key !== undefined;
}

/**
 * Names the decision by our key, the provider's id, or both. A success brings the id, because a later webhook may name
 * nothing else. The id of a failed operation may never become known here.
 */
function nameDecision(
  { random }: Stage,
  { key, id, paymentId, released }: Entry,
  result: Entry['result'],
): Names {
  const isSuccess = result === 'approved' && !released;
  const byKey = !isSuccess || random.chance(0.7);
  return {
    ...(byKey ? { idempotency_key: key } : { payment_service_transaction_id: paymentId }),
    ...((isSuccess || random.chance(0.5)) && { payment_service_reference: id }),
  };
}

const HOUR = 3_600_000;

const DELAYS_MS: readonly (readonly [weight: number, ms: number])[] = [
  [5, 0],
  [2, 5_000],
  [2, 66_000],
  [1, 2 * HOUR],
  [0.5, 20 * HOUR],
];
