import { meaningsByWord, type SettlementEntry, type SettlementKind } from '../../door.ts';
import { unitsFromText } from '../amount.ts';
import { keyOf } from '../references.ts';
import type { Row } from './report-lines.ts';

/** The types of Adyen's entries by our kinds. A type that is not listed is of the kind `unknown`. */
const TYPES: Partial<Record<SettlementKind, string>> = {
  charge: `Settled SettledBulk SettledInstallment SettledInInstallments SettledInstallmentBulk SettledExternallyWithInfo
    SettledInstallmentExternallyWithInfo`,
  refund: `Refunded RefundedBulk RefundedInstallment RefundedInInstallments RefundedExternallyWithInfo
    RefundedInstallmentExternallyWithInfo`,
  reversal: 'RefundedReversed SettledReversed CaptureFailed RefundFailed',
  chargeback: 'Chargeback SecondChargeback ChargebackExternallyWithInfo',
  chargeback_reversal: 'ChargebackReversed ChargebackReversedExternallyWithInfo',
  fee: 'Fee MiscCosts PaymentCost InvoiceDeduction AdvancementCommissionExternallyWithInfo',
  payout: 'MerchantPayout AcquirerPayout',
  payout_reversal: 'BankInstructionReturned',
  adjustment: `DepositCorrection ReserveAdjustment Balancetransfer XASTransfer MatchedStatement ManualCorrected
    AdjustmentExternallyWithInfo MerchantPayin MerchantPayinReversed EpaPaid PaidOut PaidOutReversed`,
};

const KINDS = meaningsByWord(TYPES);

/** The kinds of entries about one payment. The other entries are about the account alone. */
const OF_PAYMENT: ReadonlySet<SettlementKind> = new Set([
  ...(['charge', 'refund', 'reversal', 'chargeback', 'chargeback_reversal'] as const),
]);

const DISPUTED: ReadonlySet<SettlementKind> = new Set(['chargeback', 'chargeback_reversal']);

/**
 * Maps a row of a batch to an entry. Adyen never changes a report, so `line` names the row. Null for amounts
 * that we cannot express exactly.
 */
export function entryOf(given: Row, batch: number, line: number): SettlementEntry | null {
  const currency = given['Net Currency'];
  const amounts = amountsOf(given, currency);
  if (!amounts) return null;
  const { gross, net } = amounts;
  const kind = kindOf(given['Type'], gross);
  // An entry of an unknown type may be about a payment.
  const isOfPayment = OF_PAYMENT.has(kind) || kind === 'unknown';
  const modification = (isOfPayment && given['Modification Reference']) || null;
  return {
    ...{ reference: referenceOf(batch, line), line, kind, providerKind: given['Type'] },
    key: isOfPayment && !DISPUTED.has(kind) ? keyOfRow(given) : null,
    operationReference: DISPUTED.has(kind) ? null : modification,
    paymentReference: given['Psp Reference'] || null,
    disputeReference: DISPUTED.has(kind) ? modification : null,
    payoutReference: payoutOf(batch),
    ...(isInstalment(kind, given['Type']) && { isPart: true }),
    ...{ gross, fee: gross - net, net, currency },
    ...originalOf(given, currency),
    settledOn: (given['Booking Date'] || given['Creation Date']).slice(0, 10),
  };
}

/** Returns the id of the payout. All entries of a batch are paid out together. */
export const payoutOf = (batch: number): string => `batch-${batch}`;

/** Returns the id of an entry. Adyen has none. */
export const referenceOf = (batch: number, line: number): string => `batch-${batch}-${line}`;

/** An entry whose money moves the other way than its type says is an adjustment. */
function kindOf(type: string, gross: number): SettlementKind {
  const kind = KINDS.get(type) ?? 'unknown';
  const isWrong =
    ((kind === 'charge' || kind === 'chargeback_reversal') && gross < 0) ||
    ((kind === 'refund' || kind === 'chargeback') && gross > 0);
  return isWrong ? 'adjustment' : kind;
}

/** True for an entry that settles a part of a payment in instalments. Further batches settle the other parts. */
const isInstalment = (kind: SettlementKind, type: string): boolean =>
  (kind === 'charge' || kind === 'refund') && type.includes('Installment');

const keyOfRow = (given: Row): string | null =>
  (keyOf(given['Modification Merchant Reference']) ?? keyOf(given['Merchant Reference']))?.key ?? null;

/**
 * Returns the gross and the net amount in the currency of the payout. Without a conversion, the gross amount is in the row. After
 * a conversion, the gross amount is the net amount with the costs.
 */
function amountsOf(given: Row, currency: string): { readonly gross: number; readonly net: number } | null {
  const net = balanceOf(given['Net Debit (NC)'], given['Net Credit (NC)'], currency);
  if (net === null) return null;
  const kind = KINDS.get(given['Type']);
  if (kind === 'fee') return { gross: 0, net };
  if (kind === undefined || !OF_PAYMENT.has(kind)) return { gross: net, net };
  if (given['Gross Currency'] === currency) {
    const gross = balanceOf(given['Gross Debit (GC)'], given['Gross Credit (GC)'], currency);
    return gross === null ? null : { gross, net };
  }
  const costs = sumOf(
    COSTS.map((column) => given[column]),
    currency,
  );
  return costs === null ? null : { gross: net + costs, net };
}

const COSTS = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'] as const;

function balanceOf(debit: string, credit: string, currency: string): number | null {
  const [out, into] = [unitsOf(debit, currency), unitsOf(credit, currency)];
  return out === null || into === null ? null : into - out;
}

/** Reads an amount that may be absent or negative. */
function unitsOf(given: string, currency: string): number | null {
  const plain = given.trim();
  if (plain === '') return 0;
  const units = unitsFromText(plain.replace(/^-/, ''), currency);
  return units === null ? null : plain.startsWith('-') ? -units : units;
}

/** The decimals in which costs are summed up. A cost alone may have more decimals than its currency. */
const COST_DECIMALS = 8;

/** Returns the sum of costs in minor units. Null when the sum is no whole number of them. */
function sumOf(costs: readonly string[], currency: string): number | null {
  let sum = 0n;
  for (const cost of costs) {
    const [, sign, whole, fraction = ''] = COST.exec(cost.trim() || '0') ?? [];
    if (whole === undefined) return null;
    const value = BigInt(whole + fraction.padEnd(COST_DECIMALS, '0'));
    sum += sign === '-' ? -value : value;
  }
  const digits = String(sum < 0n ? -sum : sum).padStart(COST_DECIMALS + 1, '0');
  // Zeros at the end say nothing more.
  const fraction = digits.slice(-COST_DECIMALS).replace(/0+$/, '');
  const decimal = `${digits.slice(0, -COST_DECIMALS)}${fraction && `.${fraction}`}`;
  return unitsOf(sum < 0n ? `-${decimal}` : decimal, currency);
}

const COST = /^(-?)(\d{1,10})(?:\.(\d{1,8}))?$/;

/** Returns the amount before a conversion. The rate is absent without a conversion. */
function originalOf(given: Row, currency: string): Pick<SettlementEntry, 'original' | 'exchangeRate'> {
  const original = given['Gross Currency'];
  const units = balanceOf(given['Gross Debit (GC)'], given['Gross Credit (GC)'], original);
  if (!/^[A-Z]{3}$/.test(original) || units === null) return { original: null, exchangeRate: null };
  return {
    original: { amount: Math.abs(units), currency: original },
    exchangeRate: original !== currency && RATE.test(given['Exchange Rate']) ? given['Exchange Rate'] : null,
  };
}

const RATE = /^\d{1,12}(\.\d{1,18})?$/;
