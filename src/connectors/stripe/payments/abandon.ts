import type { Outcome, FollowUpRequest } from '../../door.ts';
import type { Api } from '../api/exchange.ts';
import { causeOf, isSetup, pathOf, readIntent, readPayment, type Intent } from '../api/read-payment.ts';
import { OPERATION } from '../model/names.ts';
import { ABANDONED, authorizationOutcome, setupOutcome, UNREADABLE } from './intent-outcome.ts';

/**
 * Ends a payment whose buyer did not come back in time. Cancels the intent only while the intent waits for the buyer. A
 * refused cancel says that the intent has moved on, so the intent is read again.
 *
 * The buyer may approve between the reading and the cancel. Stripe then releases the money, and the intent is canceled too.
 */
export async function abandon(api: Api, { key, reference, money }: FollowUpRequest): Promise<Outcome> {
  const read = await readPayment(api, reference);
  if ('unknown' in read) return read.unknown;
  if (read.intent?.metadata[OPERATION] !== key) return UNREADABLE;
  if (!WAITS.has(read.intent.status)) return outcomeOf(read.intent, money.currency);
  const answer = await api.post(
    `${pathOf(reference)}/cancel`,
    { cancellation_reason: ABANDONED },
    `${key}:abandon`,
  );
  // The authorisation itself has long arrived, so only the cause counts.
  if (answer.kind === 'unknown') return { kind: 'unknown', cause: causeOf(answer) };
  if (answer.kind === 'answered') return outcomeOf(readIntent(answer.body), money.currency);
  const again = await readPayment(api, reference);
  return 'unknown' in again ? again.unknown : outcomeOf(again.intent, money.currency);
}

/** The statuses of an intent that waits for the buyer. */
const WAITS: ReadonlySet<string> = new Set(['requires_action', 'requires_confirmation']);

function outcomeOf(intent: Intent | null, currency: string): Outcome {
  if (intent === null) return UNREADABLE;
  return isSetup(intent) ? setupOutcome(intent, currency) : authorizationOutcome(intent);
}
