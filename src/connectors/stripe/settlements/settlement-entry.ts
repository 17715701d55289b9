import type { SettlementEntry, SettlementKind } from '../../door.ts';
import { fromStripe } from '../model/amount.ts';
import type { BalanceTransaction } from './balance-answers.ts';
import { operationOf } from '../model/names.ts';

/** Maps an entry of the balance. Null if we cannot express its money. */
export function entryOf(transaction: BalanceTransaction): SettlementEntry | null {
  const { id, currency: lower, source, available_on: availableOn } = transaction;
  const [gross, fee, net] = [transaction.amount, transaction.fee, transaction.net].map((amount) =>
    fromStripe(amount, lower),
  );
  if (!gross || !fee || !net) return null;
  const kind = kindOf(transaction);
  return {
    ...{ reference: id, kind, providerKind: transaction.type, key: operationOf(source?.metadata ?? {}) },
    ...referencesOf(transaction),
    paymentReference: source?.payment_intent ?? null,
    ...{ gross: gross.amount, fee: fee.amount, net: net.amount, currency: gross.currency },
    ...conversionOf(transaction),
    ...(kind === 'charge' && { capturedTotal: capturedOf(transaction) }),
    settledOn: new Date(availableOn * 1_000).toISOString().slice(0, 10),
  };
}

/** Names the objects that the entry is about. The prefix of an id tells the kind of an object. */
function referencesOf({ source }: BalanceTransaction) {
  const id = source?.id ?? '';
  const isOf = (...prefixes: readonly string[]): boolean => prefixes.some((prefix) => id.startsWith(prefix));
  const isDispute = isOf('dp_', 'du_');
  return {
    operationReference: isOf('ch_', 'py_', 're_', 'pyr_') ? id : isDispute ? (source?.charge ?? null) : null,
    disputeReference: isDispute ? id : null,
    payoutReference: isOf('po_', 'tr_') ? id : null,
  };
}

/** Returns the money before a conversion. Stripe's rate leads from the currency of the payment to that of the balance. */
function conversionOf({
  source,
  exchange_rate: rate,
}: BalanceTransaction): Pick<SettlementEntry, 'original' | 'exchangeRate'> {
  if (rate == null) return { original: null, exchangeRate: null };
  const amount = source?.amount_captured ?? source?.amount ?? null;
  const original =
    amount === null || !source?.currency ? null : fromStripe(Math.abs(amount), source.currency);
  return { original, exchangeRate: decimalOf(rate) };
}

/** Returns everything that the charge captured so far, in minor units of its currency. Null if the charge is not told. */
const capturedOf = ({ source }: BalanceTransaction): number | null =>
  source?.amount_captured == null || !source.currency
    ? null
    : (fromStripe(source.amount_captured, source.currency)?.amount ?? null);

/** Writes a rate without an exponent, which a very small number would have. */
const decimalOf = (rate: number): string =>
  String(rate).includes('e') ? rate.toFixed(18).replace(/\.?0+$/, '') : String(rate);

/** Disputes come as adjustments. Only their category tells them from other corrections. */
function kindOf({ type, reporting_category: category, amount, source }: BalanceTransaction): SettlementKind {
  if (category?.startsWith('dispute') || source?.object === 'dispute')
    return amount < 0 ? 'chargeback' : 'chargeback_reversal';
  return KINDS.get(type) ?? (ADJUSTMENTS.has(type) ? 'adjustment' : 'unknown');
}

/** Stripe's other types: corrections, reserves, and movements between balances. */
const ADJUSTMENTS: ReadonlySet<string> = new Set(
  `adjustment advance advance_funding anticipation_repayment climate_order_purchase climate_order_refund
  connect_collection_transfer fee_credit_funding inbound_transfer inbound_transfer_reversal issuing_authorization_hold
  issuing_authorization_release issuing_dispute issuing_dispute_provisional_credit
  issuing_dispute_provisional_credit_reversal issuing_transaction obligation_outbound obligation_reversal_inbound
  payment_network_reserve_hold payment_network_reserve_release payment_unreconciled payout_minimum_balance_hold
  payout_minimum_balance_release reserve_hold reserve_release reserve_transaction reserved_funds
  stripe_balance_payment_debit stripe_balance_payment_debit_reversal tax_fund topup topup_reversal`.split(
    /\s+/,
  ),
);

const KINDS: ReadonlyMap<string, SettlementKind> = new Map([
  ['charge', 'charge'],
  ['payment', 'charge'],
  ['refund', 'refund'],
  ['payment_refund', 'refund'],
  ['refund_failure', 'reversal'],
  ['payment_failure_refund', 'reversal'],
  ['payment_reversal', 'reversal'],
  ['stripe_fee', 'fee'],
  ['stripe_fx_fee', 'fee'],
  ['tax_fee', 'fee'],
  ['application_fee', 'fee'],
  ['application_fee_refund', 'fee'],
  ['contribution', 'fee'],
  ['payout', 'payout'],
  ['payout_cancel', 'payout_reversal'],
  ['payout_failure', 'payout_reversal'],
  ['transfer', 'payout'],
  ['transfer_cancel', 'payout_reversal'],
  ['transfer_failure', 'payout_reversal'],
  ['transfer_refund', 'payout_reversal'],
]);
