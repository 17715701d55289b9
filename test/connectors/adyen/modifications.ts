import type { Amount, Modification, ModificationKind, Payment } from './model.ts';
import { METHOD_RULES } from './method-rules.ts';
import { partFaultOf, type OrderBody } from './order-rules.ts';
import { invalid, NO_ORIGINAL, type Answer } from './refusals.ts';
import { splitsFaultOf, type SplitsBody } from './split-rules.ts';
import { book, findByReference, owe, type State, type Verdict } from './state.ts';

/** The fields of a modification that the double reads. The description has checked their types. */
export type ModificationBody = SplitsBody & {
  readonly merchantAccount: string;
  readonly reference?: string;
  readonly amount?: Amount;
  readonly industryUsage?: string;
  readonly capturePspReference?: string;
  readonly lineItems?: OrderBody['lineItems'];
  readonly merchantRefundReason?: string;
  /** POST /cancels: the authorisation's reference. */
  readonly paymentReference?: string;
};

export const KINDS: Readonly<Record<string, ModificationKind>> = {
  captures: 'capture',
  refunds: 'refund',
  cancels: 'cancel',
  reversals: 'reversal',
  amountUpdates: 'amount_update',
};

/** Answers a modification of a payment by its psp reference. The decision follows later. */
export function modify(state: State, kind: ModificationKind, psp: string, body: ModificationBody): Answer {
  const payment = state.payments.find(({ pspReference }) => pspReference === psp);
  if (!payment) return NO_ORIGINAL;
  const refused = refusedBefore(payment, kind, body);
  if (refused) return refused;
  const modification = receive(state, kind, body);
  payment.modifications.push(modification);
  state.open.push(() => settle(state, payment, modification));
  return received({ ...echoOf(body), reference: modification.reference }, modification, {
    paymentPspReference: psp,
  });
}

/** Refuses what the description allows, and the payment or its method does not take. */
function refusedBefore(payment: Payment, kind: ModificationKind, body: ModificationBody): Answer | null {
  const { amount, lineItems } = body;
  if (amount && amount.currency !== payment.amount.currency)
    return invalid('138', 'The currency differs from the currency of the payment');
  if (amount && amount.value <= 0) return invalid('137', 'Invalid amount specified');
  const ofSplits = splitsFaultOf(body, amount);
  if (ofSplits) return ofSplits;
  const rules = METHOD_RULES[payment.answer.type];
  const isPart = amount?.value !== payment.amount.value;
  if (kind === 'refund' && rules?.isRefunded === false)
    return invalid('10_422', 'The payment method does not support refunds');
  if (kind === 'refund' && rules?.isPartlyRefunded === null && isPart)
    return invalid('10_423', 'The payment method does not support partial refunds');
  if (!amount || (kind !== 'capture' && kind !== 'refund')) return null;
  return partFaultOf(amount, lineItems, isPart && (rules?.needsLinesOfParts ?? false));
}

/** Answers POST /cancels, also for a reference without a payment. */
export function cancelByReference(state: State, body: ModificationBody): Answer {
  const { paymentReference = '' } = body;
  const modification = receive(state, 'technical_cancel', body);
  if (state.settings.stopsLatePayments) state.stopped.add(paymentReference);
  findByReference(state, paymentReference)?.modifications.push(modification);
  state.open.push(() => {
    const payment = findByReference(state, paymentReference);
    if (!payment) return void (modification.decision = 'failed');
    // A payment that came after the cancel is the payment of the cancel, too.
    if (!payment.modifications.includes(modification)) payment.modifications.push(modification);
    settle(state, payment, modification);
  });
  return received(echoOf(body), modification, { paymentReference });
}

function receive(
  { settings }: State,
  kind: ModificationKind,
  { reference = '', amount }: ModificationBody,
): Modification {
  const pspReference = settings.newId();
  return { kind, reference, pspReference, amount: amount ?? null, decision: 'received', reason: '' };
}

/** Repeats the fields that Adyen's answers repeat. */
const echoOf = ({ paymentReference: _, ...body }: ModificationBody): object => body;

const received = (echo: object, { pspReference }: Modification, of: object): Answer => ({
  status: 201,
  body: { ...echo, ...of, pspReference, status: 'received' },
});

/** Amounts whose modifications fail at once, or are taken back. The amount of a cancel is that of its payment. */
export const MODIFICATION_AMOUNTS: Readonly<Record<number, Verdict>> = {
  500_001: 'fails',
  500_002: 'succeeds_then_fails',
  500_003: 'is_reversed',
  500_004: 'stays_undecided',
};

/** Decides a modification: by its sums, then by an ordered verdict, then by its amount. Owes the webhooks. */
function settle(state: State, payment: Payment, modification: Modification): void {
  const { kind, amount } = modification;
  const ordered = state.verdicts.findIndex((each) => each.kind === kind);
  const byAmount = MODIFICATION_AMOUNTS[(amount ?? payment.amount).value] ?? 'succeeds';
  const verdict = state.verdicts.splice(ordered, ordered === -1 ? 0 : 1)[0]?.verdict ?? byAmount;
  if (verdict === 'stays_undecided')
    return void state.open.push(() => {
      if (modification.decision === 'received') settle(state, payment, modification);
    });
  const reason =
    faultOf(state, payment, modification) ?? (verdict === 'fails' ? 'Refused by the acquirer' : null);
  modification.decision = reason === null ? 'succeeded' : 'failed';
  modification.reason = reason ?? '';
  const action = payment.captured > 0 ? 'refund' : 'cancel';
  if (reason === null) EFFECTS[kind](state, payment, modification);
  tell(state, payment, modification, { eventCode: EVENTS[kind], action });
  if (reason === null) takeBack(state, payment, modification, verdict);
}

const EVENTS: Readonly<Record<ModificationKind, string>> = {
  capture: 'CAPTURE',
  refund: 'REFUND',
  cancel: 'CANCELLATION',
  technical_cancel: 'TECHNICAL_CANCEL',
  reversal: 'CANCEL_OR_REFUND',
  amount_update: 'AUTHORISATION_ADJUSTMENT',
};

function tell(
  state: State,
  payment: Payment,
  { kind, reference, pspReference, amount, reason, decision }: Modification,
  { eventCode, action }: { readonly eventCode: string; readonly action: string },
): void {
  // A technical cancel names the reference of the authorisation that it ends.
  const isOwn = state.settings.modificationReference === 'own' && kind !== 'technical_cancel';
  owe(state, payment, {
    eventCode,
    success: decision !== 'failed',
    reason,
    amount: amount ?? payment.amount,
    pspReference,
    originalReference: payment.pspReference,
    merchantReference: isOwn && reference !== '' ? reference : payment.reference,
    ...(kind === 'reversal' ? { additionalData: { 'modification.action': action } } : {}),
  });
}

/** Names the rule that a modification breaks. Null if it breaks none. */
function faultOf(
  state: State,
  payment: Payment,
  { kind, amount, pspReference }: Modification,
): string | null {
  const { status, authorised, captured, cancelled, refunded } = payment;
  const value = amount?.value ?? 0;
  const isAuthorised = status === 'authorised';
  switch (kind) {
    case 'capture':
      if (!isAuthorised) return 'Payment is not authorised';
      if (isCapturedBefore(payment, pspReference) && !state.settings.multipleCaptures)
        return 'Multiple captures are not enabled';
      return captured + cancelled + value > authorised ? 'Insufficient balance on payment' : null;
    case 'refund':
      if (captured === 0) return "Transaction hasn't been captured, refund not possible";
      return refunded + payment.chargedBack + value > captured ? 'Insufficient balance on payment' : null;
    case 'cancel':
      if (!isAuthorised) return 'Payment is not authorised';
      return authorised - captured - cancelled <= 0 ? 'Transaction was captured, cancel not possible' : null;
    case 'technical_cancel':
      return captured > 0 || ['refused', 'cancelled', 'expired'].includes(status)
        ? 'Cancel not possible'
        : null;
    case 'reversal':
      // A payment that waits for its buyer is ended.
      if (status === 'waiting') return null;
      return isAuthorised && captured - refunded - payment.chargedBack + authorised - captured > cancelled
        ? null
        : 'Insufficient balance on payment';
    case 'amount_update':
      if (!isAuthorised || !payment.isPreAuthorised) return 'Payment is not a pre-authorisation';
      return captured + cancelled > 0 ? 'Payment is captured or cancelled' : null;
  }
}

/** True if an earlier capture succeeded, or the authorisation captured by itself. */
const isCapturedBefore = ({ modifications, capturesAtOnce }: Payment, psp: string): boolean =>
  capturesAtOnce ||
  modifications.some(
    ({ kind, decision, pspReference }) =>
      kind === 'capture' && decision === 'succeeded' && pspReference !== psp,
  );

type Effect = (state: State, payment: Payment, modification: Modification) => void;

const cancelRest: Effect = (_, payment) => {
  payment.cancelled = Math.max(payment.authorised - payment.captured, 0);
  if (payment.captured === 0) payment.status = 'cancelled';
};

const capture: Effect = (state, payment, modification) => {
  const { value = 0 } = modification.amount ?? {};
  payment.captured += value;
  // Without multiple captures the rest of the authorisation is released.
  if (!state.settings.multipleCaptures) cancelRest(state, payment, modification);
  book(state, { type: 'Settled', payment, modification, amount: modification.amount ?? payment.amount });
};

const refund: Effect = (state, payment, modification) => {
  const amount = modification.amount ?? { ...payment.amount, value: payment.captured - payment.refunded };
  payment.refunded += amount.value;
  book(state, { type: 'Refunded', payment, modification, amount });
};

const EFFECTS: Readonly<Record<ModificationKind, Effect>> = {
  capture,
  refund,
  cancel: cancelRest,
  technical_cancel: (state, payment, modification) => {
    cancelRest(state, payment, modification);
    payment.status = 'cancelled';
  },
  reversal: (state, payment, modification) =>
    (payment.captured > 0 ? refund : cancelRest)(state, payment, modification),
  amount_update: (_, payment, { amount }) => {
    payment.authorised = amount?.value ?? payment.authorised;
  },
};

/** Takes back the success of the modification with this reference. False if none has succeeded. */
export function takeBackByReference(state: State, reference: string): boolean {
  for (const payment of state.payments)
    for (const modification of payment.modifications) {
      if (modification.reference !== reference || modification.decision !== 'succeeded') continue;
      takeBack(state, payment, modification, 'succeeds_then_fails');
      return true;
    }
  return false;
}

/** Takes a success back, with the webhook of that. */
function takeBack(state: State, payment: Payment, modification: Modification, verdict: Verdict): void {
  const { kind, amount, pspReference } = modification;
  const value = amount?.value ?? 0;
  if (verdict !== 'succeeds_then_fails' && verdict !== 'is_reversed') return;
  if (kind !== 'capture' && kind !== 'refund') return;
  modification.decision = 'taken_back';
  if (kind === 'capture') {
    payment.captured -= value;
    state.entries.splice(
      state.entries.findLastIndex((entry) => entry.modification.pspReference === pspReference),
      1,
    );
    return tell(
      state,
      payment,
      { ...modification, reason: 'Capture Failed' },
      { eventCode: 'CAPTURE_FAILED', action: '' },
    );
  }
  payment.refunded -= value;
  if (amount) book(state, { type: 'RefundedReversed', payment, modification, amount });
  const eventCode = verdict === 'is_reversed' ? 'REFUNDED_REVERSED' : 'REFUND_FAILED';
  tell(state, payment, { ...modification, reason: 'Refund Failed' }, { eventCode, action: '' });
}
