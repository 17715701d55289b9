import { randomUUID } from 'node:crypto';
import type { Timed } from '../kit/agenda.ts';
import type { PaymentBody } from './shapes.ts';

/** The ways of Checkout.com that its documentation leaves open, with those that a test orders. */
export type Settings = {
  readonly secretKey: string;
  readonly publicKey: string;
  readonly signatureKey: string;
  readonly channel: string;
  /** The answer to another body under the key of a success. */
  readonly otherBody: 'first_answer' | 'refused';
  /** The reference and the metadata in the event of a change: its own, or those of the payment. The last one has no metadata. */
  readonly eventNames: 'own' | 'own_reference' | 'payment' | 'payment_reference';
  /** True if the list of actions shows a change before its decision, which its description has no form for. */
  readonly listsPending: boolean;
  /** False if the event of an expiry does not tell whether the payment was approved. */
  readonly tellsApproval: boolean;
  /** False if the read of evidence has only the fields of the description. */
  readonly showsEvidenceText: boolean;
  /** False if the read of a payment has no balances. */
  readonly showsBalances: boolean;
  /** True if a change is decided before the next request, and not only by the test. */
  readonly decidesByItself: boolean;
  /** False if the account lacks the search, which was a beta at first. */
  readonly hasSearch: boolean;
  /** The time until the search finds a payment. */
  readonly searchLagMs: number;
};

export type Names = {
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** An operation on a payment. `approved` is null before the decision. */
export type Action = Names & {
  readonly id: string;
  readonly type: 'Authorization' | 'Card Verification' | 'Capture' | 'Refund' | 'Void';
  readonly at: Date;
  readonly amount: number;
  /** True for a capture that releases the rest. */
  readonly isFinal: boolean;
  approved: boolean | null;
  code: string;
  /** The idempotency key of the request. Null for an act of somebody else. */
  readonly key: string | null;
};

/** The end of a payment before or instead of its authorisation. */
export type End = 'Declined' | 'Canceled' | 'Expired';

export type Payment = Names & {
  readonly id: string;
  readonly sessionId: string;
  readonly key: string | null;
  readonly body: PaymentBody;
  readonly amount: number;
  readonly currency: string;
  readonly requestedAt: Date;
  readonly source: Source;
  readonly schemeId: string;
  readonly authCode: string;
  readonly actions: Action[];
  /** True while the buyer is expected at the page. */
  isWaiting: boolean;
  end: End | null;
  /** True after an authorisation has lapsed. */
  isLapsed: boolean;
};

/** A card that Checkout.com keeps. */
export type Source = {
  readonly id: string;
  readonly number: string;
  readonly month: number;
  readonly year: number;
  readonly name: string | null;
};

export type Dispute = {
  readonly id: string;
  readonly payment: Payment;
  readonly category: string;
  readonly reasonCode: string;
  readonly amount: number;
  status: string;
  resolvedReason: string | null;
  evidence: Readonly<Record<string, string>>;
  readonly respondBy: Date;
};

export type CheckoutEvent = { readonly id: string; readonly type: string; readonly data: object };

/** The decision that a test ordered for the next action of a type. */
export type NextCode = { readonly type: Action['type']; readonly code: string };

export type Token = { readonly source: Source; readonly untilMs: number; isUsed: boolean };

export type World = Timed & {
  readonly settings: Settings;
  readonly id: (prefix: string) => string;
  pages: string;
  readonly payments: Map<string, Payment>;
  readonly sources: Map<string, Source>;
  readonly tokens: Map<string, Token>;
  readonly walletData: Map<string, string>;
  readonly disputes: Map<string, Dispute>;
  readonly files: Set<string>;
  /** The decisions that are open. */
  readonly open: (() => void)[];
  readonly owed: CheckoutEvent[];
  readonly nextCodes: NextCode[];
};

export const MINUTE_MS = 60_000;

export function createWorld({
  now,
  newId = () => randomUUID().replaceAll('-', ''),
  settings,
}: Pick<World, 'now' | 'settings'> & { readonly newId?: (() => string) | undefined }): World {
  return {
    ...{ now, settings, pages: 'https://3ds2-sandbox.ckotech.co', agenda: [] },
    id: (prefix) =>
      `${prefix}_${newId()
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '')
        .padStart(26, 'a')
        .slice(-26)}`,
    ...{ payments: new Map(), sources: new Map(), tokens: new Map(), walletData: new Map() },
    ...{ disputes: new Map(), files: new Set(), open: [], owed: [], nextCodes: [] },
  };
}

/** Owes an event. */
export function emit(world: World, type: string, data: object): void {
  world.owed.push({ id: world.id('evt'), type, data: structuredClone(data) });
}

/** Takes the code that a test ordered for the next action of a type. */
export function takeCode({ nextCodes }: World, type: Action['type']): string | null {
  const index = nextCodes.findIndex((next) => next.type === type);
  return index < 0 ? null : (nextCodes.splice(index, 1)[0]?.code ?? null);
}

const sumOf = (payment: Payment, holds: (action: Action) => boolean): number =>
  payment.actions.filter(holds).reduce((sum, { amount }) => sum + amount, 0);

/** The sums of a payment. A change without a decision reserves its amount. */
export function balancesOf(payment: Payment) {
  const authorized = sumOf(payment, ({ type, approved }) => type === 'Authorization' && approved === true);
  const captured = sumOf(payment, ({ type, approved }) => type === 'Capture' && approved === true);
  const refunded = sumOf(payment, ({ type, approved }) => type === 'Refund' && approved === true);
  const reservedToCapture = sumOf(payment, ({ type, approved }) => type === 'Capture' && approved === null);
  const reservedToRefund = sumOf(payment, ({ type, approved }) => type === 'Refund' && approved === null);
  const isClosed =
    payment.isLapsed ||
    payment.actions.some(
      ({ type, approved, isFinal }) =>
        approved !== false && (type === 'Void' || (type === 'Capture' && isFinal)),
    );
  const left = isClosed ? 0 : authorized - captured - reservedToCapture;
  const isReleased = payment.actions.some(
    ({ type, approved, isFinal }) =>
      approved === true && (type === 'Void' || (type === 'Capture' && isFinal)),
  );
  return {
    total_authorized: authorized,
    total_voided: isReleased ? authorized - captured : 0,
    available_to_void: left,
    total_captured: captured,
    available_to_capture: left,
    total_refunded: refunded,
    available_to_refund: captured - refunded - reservedToRefund,
  };
}

export function statusOf(payment: Payment): string {
  if (payment.isWaiting) return 'Pending';
  if (payment.end !== null) return payment.end;
  if (payment.actions.some(({ type }) => type === 'Card Verification')) return 'Card Verified';
  const { total_captured: captured, total_refunded: refunded, ...sums } = balancesOf(payment);
  if (refunded > 0) return refunded < captured ? 'Partially Refunded' : 'Refunded';
  if (captured > 0) return sums.available_to_capture > 0 ? 'Partially Captured' : 'Captured';
  if (payment.isLapsed) return 'Expired';
  return payment.actions.some(({ type, approved }) => type === 'Void' && approved) ? 'Voided' : 'Authorized';
}
