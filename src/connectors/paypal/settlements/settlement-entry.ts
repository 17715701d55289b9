import type { SettlementEntry, SettlementKind } from '../../door.ts';
import { moneyFromWire, type PayPalMoney } from '../amount.ts';
import { readName } from '../names.ts';
import { kindOf } from './event-codes.ts';
import type { Movement } from './report-answers.ts';

/** The kinds of movements that undo an earlier one, and whose reference is the earlier movement. */
const OF_EARLIER: ReadonlySet<SettlementKind> = new Set([
  ...(['reversal', 'chargeback', 'chargeback_reversal'] as const),
]);

const PAYOUTS: ReadonlySet<SettlementKind> = new Set(['payout', 'payout_reversal']);

/** Maps a movement. Null if we cannot express its money or its day. */
export function entryOf(given: Movement): SettlementEntry | null {
  const { transaction_id: id, transaction_event_code: code, transaction_amount: amount } = given;
  const gross = unitsOf(amount);
  const feeUnits = unitsOf(given.fee_amount ?? { ...amount, value: '0' });
  const isOneCurrency = (given.fee_amount?.currency_code ?? amount.currency_code) === amount.currency_code;
  if (gross === null || feeUnits === null || !isOneCurrency) return null;
  const kind = kindOf(code, gross);
  const earlier = given.paypal_reference_id_type === 'TXN' ? (given.paypal_reference_id ?? null) : null;
  return {
    ...{ reference: referenceOf(id, code), kind, providerKind: code },
    key: readName(given.invoice_id)?.key ?? null,
    operationReference: OF_EARLIER.has(kind) ? earlier : id,
    paymentReference: given.paypal_reference_id_type === 'ODR' ? (given.paypal_reference_id ?? null) : null,
    disputeReference: null,
    ...(kind === 'refund' && { captureReference: earlier }),
    payoutReference: PAYOUTS.has(kind) ? id : null,
    // PayPal writes a cost as a negative amount.
    ...{ gross, fee: 0 - feeUnits, net: gross + feeUnits, currency: amount.currency_code },
    ...{ original: null, exchangeRate: null },
    settledOn: given.transaction_initiation_date.slice(0, 10),
  };
}

/** Returns the id of an entry. Several movements may have the same id, but not with the same code. */
export const referenceOf = (id: string, code: string): string => `${id}:${code}`;

/** Reads an amount with a sign. Null when we cannot express the amount. */
function unitsOf({ currency_code, value }: PayPalMoney): number | null {
  const isNegative = value.startsWith('-');
  const money = moneyFromWire({ currency_code, value: isNegative ? value.slice(1) : value });
  if (money === null) return null;
  return isNegative ? 0 - money.amount : money.amount;
}
