import type { Notice } from '../../../connectors/notices/webhook.ts';
import { AMOUNT_MAX, type Money } from '../../../kernel/money.ts';
import type { SettlementLine } from '../../settlements/index.ts';
import type { DifferenceFinding } from '../differences/difference.ts';
import type { MadeElsewhere } from '../elsewhere/made-elsewhere.ts';
import type { Operation } from '../model/operation.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import { lineKeyOf } from '../notices/line-key.ts';
import type { SettledPayment } from './payment.sql.ts';

const NO_WORDS = { rawResponseCode: null, rawResponseDescription: null } as const;

/** Returns the money of an entry before a conversion, without a sign and without fees. */
export const moneyOf = ({ original, gross, currency }: SettlementLine): Money =>
  original ?? { amount: Math.abs(gross), currency };

type About = { readonly of: 'capture' | 'refund'; readonly own: Operation | null };

/** The reason why an entry is not as good as a webhook. `isBookable`: a person can adopt the entry. */
type Fault = { readonly finding: DifferenceFinding; readonly isBookable: boolean };

/** Returns the reason why an entry of a charge or refund cannot be booked without a person. Null for a sure entry. */
export function refuse(line: SettlementLine, payment: SettledPayment, own: Operation | null): Fault | null {
  const { amount, currency } = moneyOf(line);
  const { transaction } = payment;
  if (currency !== transaction.currency) return { finding: 'other_money', isBookable: false };
  if (amount > AMOUNT_MAX) return { finding: 'too_large', isBookable: false };
  if (amount < 1) return { finding: 'unknown_amount', isBookable: false };
  // The money of the whole operation is not told.
  if (line.isPart) return { finding: 'unknown_operation', isBookable: false };
  const isNamed = line.operationReference !== null || own !== null;
  return isNamed && (namesPayment(line, payment) || keyFor(line, payment, own) !== null)
    ? null
    : { finding: 'unknown_operation', isBookable: true };
}

/** True if the payment's id at the payment service finds the payment. */
const namesPayment = ({ paymentServiceId }: SettlementLine, { transaction }: SettledPayment): boolean =>
  transaction.paymentServiceId === paymentServiceId && transaction.paymentServiceTransactionId !== null;

/**
 * Returns our key for a notice. A provider may have copied the key of another operation. Such a key is used only if the id of the
 * payment is not known.
 */
function keyFor(line: SettlementLine, payment: SettledPayment, own: Operation | null): string | null {
  if (own && providerKeyOf(own) === line.key) return line.key;
  if (namesPayment(line, payment)) return null;
  return payment.operations.some((each) => providerKeyOf(each) === line.key) ? line.key : null;
}

/** Returns the notice that a webhook about the operation of an entry would have been. */
export function noticeOf(line: SettlementLine, payment: SettledPayment, { of, own }: About): Notice {
  const { paymentReference, captureReference } = line;
  const key = keyFor(line, payment, own);
  const named = namesPayment(line, payment) ? payment.transaction.paymentServiceTransactionId : null;
  return {
    ...{ eventKey: lineKeyOf(line.reference), occurredAt: null, verb: of, key },
    ...{ reference: referenceOf(line), paymentReference: named ?? paymentReference, captureReference },
    ...(key === null && totalOf(line)),
    outcome: { kind: 'succeeded', money: moneyOf(line), ...NO_WORDS },
  };
}

/** Names the sum of all captures for a provider without ids of captures. */
const totalOf = (line: SettlementLine): { readonly total?: Money } =>
  line.kind === 'charge' && line.capturedTotal !== null
    ? { total: { amount: line.capturedTotal, currency: moneyOf(line).currency } }
    : {};

/** Without ids of captures, the sum of all tells several captures apart. A webhook names them in the same way. */
const referenceOf = (line: SettlementLine): string | null => {
  const { operationReference: reference, capturedTotal } = line;
  const isAlone = line.kind !== 'charge' || capturedTotal === null || capturedTotal === moneyOf(line).amount;
  return isAlone || reference === null ? reference : `${reference}:${capturedTotal}`;
};

/** Returns the notice of a reversal of an operation of ours. */
export const reversalOf = (
  line: SettlementLine,
  { of, own }: { readonly of: About['of']; readonly own: Operation },
): Notice => ({
  ...{ eventKey: lineKeyOf(line.reference), occurredAt: null, verb: of, key: providerKeyOf(own) },
  ...{ reference: own.providerReference, paymentReference: line.paymentReference },
  outcome: {
    ...{ kind: 'reversed', money: moneyOf(line), errorCode: 'service_decline', reversalReference: null },
    ...NO_WORDS,
  },
});

/** Returns the operation of an entry as an adoption books it. */
export const made = (line: SettlementLine, of: About['of']): MadeElsewhere => ({
  ...{ kind: of, reference: line.operationReference, money: moneyOf(line), total: null, final: null },
  ...{ captureReference: line.captureReference, occurredAt: null, ...NO_WORDS },
});
