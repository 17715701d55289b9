import {
  noticeOutcomeOf,
  type BooksRequest,
  type BooksState,
  type DisputeNotice,
  type Notice,
  type ProviderBooks,
  type Unknown,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import { chargeback, type Capture, type Chargeback, type Payment, type Refund } from '../answers.ts';
import type { Api } from '../exchange.ts';
import { operationOf } from '../names.ts';
import { CAPTURES, REFUNDS } from '../payments/make-part.ts';
import { captureOutcome, isManual, paymentOutcome, refundOutcome } from '../payments/payment-outcome.ts';
import { paymentPath, readList, readPayment, UNREADABLE, type Part } from '../payments/read-payment.ts';

const CHARGEBACKS: Part<Chargeback> = { name: 'chargebacks', form: chargeback };

/** A payment with everything that happened to it. */
type Whole = {
  readonly payment: Payment;
  readonly captures: readonly Capture[];
  readonly refunds: readonly Refund[];
  readonly chargebacks: readonly Chargeback[];
};

/** Reads a payment with its captures, refunds and chargebacks. Null if Mollie does not have the payment. */
export async function readBooks(
  api: Api,
  { reference }: BooksRequest,
): Promise<ProviderBooks | Unknown | null> {
  const payment = await readPayment(api, reference);
  if (payment === null || 'kind' in payment) return payment;
  const captures = await partsOf(api, payment, 'captures', CAPTURES);
  if ('kind' in captures) return captures;
  const refunds = await partsOf(api, payment, 'refunds', REFUNDS);
  if ('kind' in refunds) return refunds;
  const chargebacks = await partsOf(api, payment, 'chargebacks', CHARGEBACKS);
  if ('kind' in chargebacks) return chargebacks;
  return booksOf({ payment, captures, refunds, chargebacks });
}

/** Reads the parts of a payment. A payment without a link to them has none. */
async function partsOf<Item>(
  api: Api,
  { id, _links: links }: Payment,
  name: 'captures' | 'refunds' | 'chargebacks',
  part: Part<Item>,
): Promise<readonly Item[] | Unknown> {
  if (!links?.[name]) return [];
  return (await readList(api, paymentPath(id, `/${name}`), part)) ?? UNREADABLE;
}

/** Returns the books. A part that cannot be read makes all of them unreadable, because the core takes them as the whole. */
function booksOf({ payment, captures, refunds, chargebacks }: Whole): ProviderBooks | Unknown {
  const { authorizedAt, paidAt, status } = payment;
  const wasHeld = (authorizedAt ?? paidAt) !== null || captures.length > 0 || STANDS.has(status);
  const notices = wholly([
    authorizationNotices(payment, wasHeld),
    ...(isManual(payment) ? captures.map((made) => captureNotice(payment, made)) : []),
    ...refunds.map((made) => refundNotice(payment, made)),
  ]);
  const disputes = wholly(chargebacks.map((made) => disputeNotice(payment, made)));
  if (notices === null || disputes === null) return UNREADABLE;
  const authorized = wasHeld ? moneyFromWire(payment.amount) : null;
  return { kind: 'books', state: stateOf(payment, wasHeld), authorized, notices, disputes };
}

/** Joins lists. Null if one of them was not read. */
const wholly = <Told>(lists: readonly (readonly Told[] | null)[]): readonly Told[] | null =>
  lists.includes(null) ? null : lists.flatMap((list) => list ?? []);

const STANDS: ReadonlySet<string> = new Set(['authorized', 'paid']);

const STATES: Readonly<Record<string, BooksState | undefined>> = { authorized: 'open', paid: 'closed' };

/** The states of an authorisation that ended. Mollie shows one that was not captured in time as failed, too. */
const ENDS: Readonly<Record<string, BooksState | undefined>> = {
  ...{ canceled: 'voided', expired: 'expired', failed: 'expired' },
};

function stateOf(payment: Payment, wasHeld: boolean): BooksState {
  const ended = ENDS[payment.status];
  if (ended !== undefined) return wasHeld || isManual(payment) ? ended : 'refused';
  return STATES[payment.status] ?? 'pending';
}

type Facts = Pick<Notice, 'eventKey' | 'occurredAt' | 'paymentReference'>;

/** The core names notices of books by itself. */
const factsOf = ({ id }: Payment, occurredAt: Date | null): Facts => ({
  ...{ eventKey: '', occurredAt, paymentReference: id },
});

/**
 * Reads the authorisation, and its end after a success. Mollie may leave out `authorizedAt` after the end. A payment with manual
 * capture then tells a refusal and an end. The core takes the one that its record of the authorisation lacks.
 */
function authorizationNotices(payment: Payment, wasHeld: boolean): readonly Notice[] | null {
  const { id, metadata, authorizedAt, paidAt } = payment;
  const ended = isManual(payment) ? endOf(payment) : [];
  if (wasHeld && ended.length > 0) return ended;
  const outcome = paymentOutcome(payment);
  if (outcome.kind === 'unknown') return null;
  const told = { verb: 'authorize', key: operationOf(metadata), reference: id } as const;
  return [
    { ...factsOf(payment, paidAt ?? authorizedAt), ...told, outcome: noticeOutcomeOf(outcome) },
    ...ended,
  ];
}

/** Returns the end of an authorisation. Empty if the payment has not ended. */
function endOf(payment: Payment): readonly Notice[] {
  const { id, metadata, status, canceledAt, expiredAt, failedAt } = payment;
  const key = operationOf(metadata);
  const words = { rawResponseCode: status, rawResponseDescription: null };
  if (ENDS[status] === undefined) return [];
  if (ENDS[status] === 'voided')
    return [
      {
        ...factsOf(payment, canceledAt),
        ...{ verb: 'void', key: null, reference: null, authorizationKey: key },
        outcome: { kind: 'succeeded', money: null, ...words },
      },
    ];
  const outcome = { kind: 'expired', ...words } as const;
  return [{ ...factsOf(payment, expiredAt ?? failedAt), verb: 'authorize', key, reference: id, outcome }];
}

function captureNotice(payment: Payment, made: Capture): readonly Notice[] | null {
  const outcome = captureOutcome(made);
  if (outcome.kind === 'unknown') return null;
  const key = operationOf(made.metadata);
  return [
    {
      ...factsOf(payment, made.createdAt),
      ...{ verb: 'capture', key, reference: made.id, outcome: noticeOutcomeOf(outcome) },
      // A payment that is paid takes no further capture.
      ...(key === null && { final: payment.status === 'paid' }),
    },
  ];
}

/**
 * Reads a refund. A failure may come days after the success, and its status does not say whether there was one. So a failure counts
 * as a reversal, which also decides a pending refund. A canceled refund was never executed.
 */
function refundNotice(payment: Payment, made: Refund): readonly Notice[] | null {
  const { id: reference, metadata, createdAt, status } = made;
  const read = refundOutcome(made);
  if (read.kind === 'unknown') return null;
  if (read.kind === 'accepted') return [];
  const told = noticeOutcomeOf(read);
  const outcome =
    status === 'failed' && told.kind === 'failed'
      ? ({ ...told, kind: 'reversed', money: null } as const)
      : told;
  return [{ ...factsOf(payment, createdAt), verb: 'refund', key: operationOf(metadata), reference, outcome }];
}

/** Reads a chargeback. Mollie takes the money at once, and gives it back if the chargeback is reversed. */
function disputeNotice(
  { id, metadata }: Payment,
  { id: disputeReference, amount, reason, createdAt, reversedAt }: Chargeback,
): readonly DisputeNotice[] | null {
  const money = moneyFromWire(amount);
  if (money === null) return null;
  return [
    {
      ...{ eventKey: '', occurredAt: reversedAt ?? createdAt, key: operationOf(metadata) },
      ...{ reference: id, paymentReference: id },
      dispute: {
        ...{ disputeReference, stage: 'chargeback', status: reversedAt ? 'won' : 'under_review' },
        ...{ reason: 'general', reasonCode: reason?.code ?? null, money, respondBy: null },
      },
    },
  ];
}
