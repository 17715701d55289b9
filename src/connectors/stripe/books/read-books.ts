import type { BooksRequest, BooksState, ProviderBooks, Unknown, Notice } from '../../door.ts';
import type { PaymentIntent, SetupIntent } from '../api/answers.ts';
import type { EventOf } from '../api/event.ts';
import type { Api } from '../api/exchange.ts';
import { isSetup, readPayment, unknown } from '../api/read-payment.ts';
import { fromStripe } from '../model/amount.ts';
import { listRefunds } from '../payments/refund.ts';
import { intentNotices, refundNotices, setupNotices } from '../webhooks/notices.ts';

/** Reads a payment with its refunds, which Stripe lists apart. Null if Stripe has no such payment. */
export async function readBooks(
  api: Api,
  { reference }: BooksRequest,
): Promise<ProviderBooks | Unknown | null> {
  const read = await readPayment(api, reference);
  if ('unknown' in read) return { kind: 'unknown', cause: read.unknown.cause };
  const { intent } = read;
  if (intent === null) return null;
  if (isSetup(intent)) return booksOfSetup(intent);
  const listed = await listRefunds(api, reference);
  if ('kind' in listed) return { kind: 'unknown', cause: listed.cause };
  if (!listed.isWhole) return unknown('unreadable').unknown;
  return {
    ...{ kind: 'books', state: stateOf(intent), authorized: authorizedOf(intent) },
    notices: [
      ...intentNotices(asRead(intent, null)),
      // Stripe lists the newest first.
      ...listed.refunds.toReversed().flatMap((made) => refundNotices(asRead(made, made.created ?? null))),
    ] satisfies readonly Notice[],
  };
}

/** An object as its last event would tell it. */
const asRead = <Subject extends { readonly id: string }>(
  object: Subject,
  createdS: number | null,
): EventOf<Subject> => ({
  ...{ id: object.id, object, previous: null, previousStatus: null },
  occurredAt: createdS === null ? null : new Date(createdS * 1_000),
});

const booksOfSetup = (intent: SetupIntent): ProviderBooks => ({
  ...{ kind: 'books', authorized: null, notices: setupNotices(asRead(intent, null)) },
  state: STATES[intent.status] ?? 'refused',
});

const STATES: Readonly<Record<string, BooksState | undefined>> = {
  ...{ processing: 'pending', requires_action: 'pending', requires_confirmation: 'pending' },
  ...{ requires_capture: 'open', succeeded: 'closed' },
};

function stateOf(intent: PaymentIntent): BooksState {
  if (intent.status !== 'canceled') return STATES[intent.status] ?? 'refused';
  if (!wasHeld(intent)) return 'refused';
  if (intent.amount_received > 0) return 'closed';
  return intentNotices(asRead(intent, null)).some(({ outcome }) => outcome.kind === 'expired')
    ? 'expired'
    : 'voided';
}

/** A charge without an error was an authorisation. */
const wasHeld = ({ latest_charge: charge, last_payment_error: error }: PaymentIntent): boolean =>
  charge != null && error == null;

function authorizedOf(intent: PaymentIntent): ProviderBooks['authorized'] {
  const { status, capture_method: method, currency } = intent;
  const isHeld = status === 'requires_capture' || status === 'succeeded';
  if (!isHeld && !(status === 'canceled' && wasHeld(intent))) return null;
  return fromStripe(method === 'manual' ? intent.amount : intent.amount_received, currency);
}
