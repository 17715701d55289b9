import { noticeOutcomeOf, type Notice, type NoticeOutcome } from '../../door.ts';
import type { EventOf } from '../api/event.ts';
import type { PaymentIntent, Refund, SetupIntent } from '../api/answers.ts';
import { refundFailureOf } from '../errors/errors.ts';
import { ABANDONED, authorizationOutcome, setupOutcome } from '../payments/intent-outcome.ts';
import { operationOf, VERB } from '../model/names.ts';
import { refundOutcome } from '../payments/refund.ts';
import { captureNotices, raiseNotices } from './step-notices.ts';

const NO_WORDS = { rawResponseCode: null, rawResponseDescription: null } as const;

/**
 * Reads an authorisation that succeeded. The event comes again after an increase or a capture in parts, and tells these too.
 */
export function authorizedNotices(event: EventOf<PaymentIntent>): readonly Notice[] {
  const { object: intent } = event;
  if (intent.status !== 'requires_capture') return [];
  const authorized = [...authorizationNotice(event), ...raiseNotices(event)];
  return intent.amount_received === 0 ? authorized : [...authorized, ...captureNotices(event)];
}

/** Reads a payment whose money was taken: a sale, or captures of an authorisation. */
export function succeededNotices(event: EventOf<PaymentIntent>): readonly Notice[] {
  if (event.object.status !== 'succeeded') return [];
  return event.object.capture_method === 'manual' ? captureNotices(event) : authorizationNotice(event);
}

/** Reads everything that a payment tells, as its events tell it. */
export function intentNotices(event: EventOf<PaymentIntent>): readonly Notice[] {
  switch (event.object.status) {
    case 'canceled':
      return canceledNotices(event);
    case 'requires_capture':
      return authorizedNotices(event);
    case 'succeeded':
      return event.object.capture_method === 'manual'
        ? [...authorizationNotice(event), ...raiseNotices(event), ...captureNotices(event)]
        : authorizationNotice(event);
    default:
      return authorizationNotice(event);
  }
}

export const refusedNotices = (event: EventOf<PaymentIntent>): readonly Notice[] =>
  event.object.status === 'requires_payment_method' ? authorizationNotice(event) : [];

export const processingNotices = (event: EventOf<PaymentIntent>): readonly Notice[] =>
  event.object.status === 'processing' ? authorizationNotice(event) : [];

/** Reads the state of an authorisation, as a look-up reads it. */
function authorizationNotice({ id, occurredAt, object: intent }: EventOf<PaymentIntent>): readonly Notice[] {
  const key = operationOf(intent.metadata);
  const outcome = authorizationOutcome(intent);
  if (key === null || outcome.kind === 'unknown') return [];
  return [
    {
      ...{ eventKey: id, occurredAt, verb: 'authorize', key },
      ...{ reference: intent.id, paymentReference: intent.id },
      outcome: noticeOutcomeOf(outcome),
    },
  ];
}

/** The reasons of a cancellation that somebody asked for. */
const ASKED_FOR: ReadonlySet<string | null> = new Set([
  ...['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned'],
  null,
]);

const EXPIRED: ReadonlySet<string | null> = new Set(['automatic', 'expired']);

/**
 * Reads a payment that was canceled, also without our key: by a request, or because the authorisation expired. Captures before
 * that are told, too. An empty payment that only kept a refused card from paying tells nothing.
 */
export const canceledNotices = (event: EventOf<PaymentIntent>): readonly Notice[] => [
  ...(event.object.status === 'canceled' && event.object.amount_received > 0 ? captureNotices(event) : []),
  ...endNotices(event),
];

function endNotices(event: EventOf<PaymentIntent>): readonly Notice[] {
  const { id, occurredAt, object: intent } = event;
  const key = operationOf(intent.metadata);
  const { cancellation_reason: reason = null, latest_charge: charge, last_payment_error: error } = intent;
  if (intent.status !== 'canceled' || intent.metadata[VERB] === 'refuse') return [];
  // A charge without an error was an authorisation, which a void released.
  const isReleased = charge != null && error == null;
  if (key === null && !(isReleased && intent.capture_method === 'manual')) return [];
  const known = { eventKey: id, occurredAt, paymentReference: intent.id };
  const words = { rawResponseCode: reason, rawResponseDescription: null };
  if (EXPIRED.has(reason))
    return [
      { ...known, verb: 'authorize', key, reference: intent.id, outcome: { kind: 'expired', ...words } },
    ];
  if (!ASKED_FOR.has(reason)) return [];
  // The buyer did not come back, so the authorisation itself has ended.
  if (reason === ABANDONED && !charge) return authorizationNotice(event);
  const verb = isReleased ? 'void' : 'cancel';
  return [
    {
      ...{ ...known, verb, key: null, reference: null, authorizationKey: key },
      outcome: { kind: 'succeeded', money: null, ...words },
    },
  ];
}

/** Reads an authorisation of nothing. A setup intent has no currency, and the money is that of the request. */
export function setupNotices({ id, occurredAt, object: intent }: EventOf<SetupIntent>): readonly Notice[] {
  const key = operationOf(intent.metadata);
  const outcome = setupOutcome(intent, '');
  if (key === null || outcome.kind === 'unknown') return [];
  const token = outcome.kind === 'succeeded' ? outcome.recurringToken : null;
  return [
    {
      ...{ eventKey: id, occurredAt, verb: 'authorize', key },
      ...{ reference: intent.id, paymentReference: intent.id },
      outcome:
        outcome.kind === 'succeeded'
          ? { kind: 'succeeded', money: null, ...NO_WORDS, ...(token && { recurringToken: token }) }
          : noticeOutcomeOf(outcome),
    },
  ];
}

/**
 * Reads a refund. A refund without our key was made elsewhere, and its payment shows whose the refund is.
 *
 * A failure may come days after the success, and every event of the failure has the same status. So a failure counts as a
 * reversal, unless the event itself says that the refund was still undecided.
 */
export function refundNotices(event: EventOf<Refund>): readonly Notice[] {
  const { id, occurredAt, object: made } = event;
  // The key of the request says nothing: other programs take random UUIDs too.
  const key = operationOf(made.metadata);
  const payment = made.payment_intent ?? null;
  const outcome = refundOutcome(made);
  if (outcome.kind === 'unknown' || (key === null && payment === null)) return [];
  return [
    {
      ...{ eventKey: id, occurredAt, verb: 'refund', key },
      ...{ reference: made.id, paymentReference: payment },
      outcome: isReversal(event) ? reversalOf(made) : noticeOutcomeOf(outcome),
    },
  ];
}

const isReversal = ({ object: { status }, previousStatus }: EventOf<Refund>): boolean =>
  status === 'failed' && previousStatus !== 'pending' && previousStatus !== 'requires_action';

/** A refund fails as a whole and once, so its own id names the reversal. */
const reversalOf = (made: Refund): NoticeOutcome => ({
  ...{ kind: 'reversed', money: null, errorCode: refundFailureOf(made) },
  ...{ reversalReference: made.id },
  ...{ rawResponseCode: made.failure_reason ?? null, rawResponseDescription: null },
});
