import { inOrderOf, type ComparedOrder, type ComparedService } from './comparison.ts';
import type { CompiledFigures, FeeCell } from './figures.ts';
import { cellKey, FEE_SEGMENTS, isAlike, valuesIn, valuesOf, type FiguredPayment } from './segment.ts';

/** The price of a service by the merchant's contract. */
export type Price = {
  readonly paymentServiceId: string;
  /** Null: any scheme. */
  readonly scheme: string | null;
  /** Null: any country. */
  readonly country: string | null;
  /** A part of the amount in percent, as a decimal number with at most four decimals. */
  readonly percentage: string;
  /** Minor units for each payment. The price is then for this currency alone. */
  readonly fixed: { readonly amount: number; readonly currency: string } | null;
};

/** The terms of an order by cost. */
export type CostTerms = {
  readonly paymentServiceIds: readonly string[];
  /** The first price that fits a payment counts. */
  readonly table: readonly Price[];
};

/** The settled payments that a segment needs before its fees count. A few payments may be exceptions. */
export const SETTLED_MIN = 20;

/**
 * Orders services by the expected fee of a payment, the lowest first. The fee comes from the settlements of alike payments, or else
 * from the table. A service without either follows in the listed order. All sums are whole numbers.
 */
export function orderByCost(
  { paymentServiceIds, table }: CostTerms,
  payment: FiguredPayment,
  figures: CompiledFigures | null,
): ComparedOrder {
  const { amount } = payment;
  const services = paymentServiceIds.map((id): ComparedService => {
    if (amount === null) return { paymentServiceId: id, segment: null, cases: null };
    return (
      feeBySettlements(id, { ...payment, amount }, figures) ?? feeByTable(id, { ...payment, amount }, table)
    );
  });
  return inOrderOf(services, ({ fee }) => fee);
}

type PricedPayment = FiguredPayment & { readonly amount: number };

function feeBySettlements(
  paymentServiceId: string,
  payment: PricedPayment,
  figures: CompiledFigures | null,
): ComparedService | null {
  const values = valuesOf(payment);
  for (const segment of FEE_SEGMENTS) {
    if (!isAlike(segment, values)) continue;
    const cell = figures?.fees.get(cellKey(paymentServiceId, segment, valuesIn(segment, values)));
    if (cell && cell.payments >= SETTLED_MIN)
      return {
        ...{ paymentServiceId, segment, cases: cell.payments },
        ...{ fee: feeOf(payment.amount, cell), source: 'settlements' },
      };
  }
  return null;
}

/** The parts of a minor unit in which fees are compared. */
const PARTS = 10_000n;

/** Returns the part of the amount that the settled payments cost, rounded half up. A fee below zero is a gain. */
function feeOf(amount: number, { amount: settled, fees }: FeeCell): number {
  return roundedQuotient(BigInt(amount) * BigInt(fees) * PARTS, BigInt(settled));
}

function feeByTable(
  paymentServiceId: string,
  payment: PricedPayment,
  table: readonly Price[],
): ComparedService {
  const price = table.find((each) => each.paymentServiceId === paymentServiceId && fits(each, payment));
  const none = { paymentServiceId, segment: null, cases: null };
  if (!price) return none;
  const fixed = BigInt(price.fixed?.amount ?? 0) * PARTS;
  // A ten-thousandth of a percent is a millionth.
  const part = roundedQuotient(BigInt(payment.amount) * partsOfPercent(price.percentage) * PARTS, 1_000_000n);
  return { ...none, fee: Number(fixed) + part, source: 'table' };
}

const fits = ({ scheme, country, fixed }: Price, payment: PricedPayment): boolean =>
  (scheme === null || scheme === payment.scheme) &&
  (country === null || country === payment.country) &&
  (fixed === null || fixed.currency === payment.currency);

/** Returns a percentage in ten-thousandths of a percent. */
function partsOfPercent(percentage: string): bigint {
  const [whole = '', decimals = ''] = percentage.split('.');
  return BigInt(whole + decimals.padEnd(4, '0'));
}

/** Divides by a positive number, and rounds half up. */
function roundedQuotient(dividend: bigint, divisor: bigint): number {
  const doubled = 2n * dividend + divisor;
  const quotient = doubled / (2n * divisor);
  // Division of negative numbers cuts towards zero.
  return Number(doubled < 0n && doubled % (2n * divisor) !== 0n ? quotient - 1n : quotient);
}
