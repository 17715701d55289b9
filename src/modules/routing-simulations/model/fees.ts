import { segmentFromKey } from './segment.ts';
import type { Fees } from './result.ts';
import type { Cell, Tally } from './tally.ts';

/** The authorised amounts of estimated payments, by segment and cell. */
export type EstimatedAmounts = Map<string, Map<string, { then: number; expected: number }>>;

type Sum = { -readonly [Field in keyof Fees]: Fees[Field] };

/**
 * Compares the fees of the authorised amounts. Both sides take the rates that settlements say, so a difference comes from the way of
 * the payments alone. A cell without settled payments takes the rate of its service in the currency.
 */
export function expectFees(tally: Tally, estimated: EstimatedAmounts): readonly Fees[] {
  const rates = serviceRates(tally);
  const sums = new Map<string, Sum>();
  for (const [segment, cells] of tally.cells) {
    const { currency } = segmentFromKey(segment);
    for (const [key, cell] of cells) {
      const rate =
        cell.settledAmount > 0 ? cell.fees / cell.settledAmount : rates.get(rateKey(currency, key));
      const more = estimated.get(segment)?.get(key) ?? { then: 0, expected: 0 };
      const amounts = {
        then: cell.authorizedAmount + more.then,
        expected: cell.keptAmount + more.expected,
      };
      if (amounts.then + amounts.expected > 0) addFees(sumOf(sums, currency), amounts, rate);
    }
  }
  return [...sums.values()].map(rounded).toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

function addFees(
  sum: Sum,
  { then, expected }: { readonly then: number; readonly expected: number },
  rate: number | undefined,
): void {
  if (rate === undefined) {
    sum.amountWithoutFeeThen += then;
    sum.amountWithoutFeeExpected += expected;
    return;
  }
  sum.then += then * rate;
  sum.expected += expected * rate;
}

function sumOf(sums: Map<string, Sum>, currency: string): Sum {
  const none = { then: 0, expected: 0, amountWithoutFeeThen: 0, amountWithoutFeeExpected: 0 };
  const sum = sums.get(currency) ?? { currency, ...none };
  sums.set(currency, sum);
  return sum;
}

const rounded = ({ currency, ...amounts }: Sum): Fees => ({
  ...{ currency, then: Math.round(amounts.then), expected: Math.round(amounts.expected) },
  amountWithoutFeeThen: Math.round(amounts.amountWithoutFeeThen),
  amountWithoutFeeExpected: Math.round(amounts.amountWithoutFeeExpected),
});

/** Returns the rate of each service in each currency, from all its settled payments. */
function serviceRates(tally: Tally): ReadonlyMap<string, number> {
  const sums = new Map<string, Pick<Cell, 'settledAmount' | 'fees'>>();
  for (const [segment, cells] of tally.cells) {
    const { currency } = segmentFromKey(segment);
    for (const [key, { settledAmount, fees }] of cells) {
      const sum = sums.get(rateKey(currency, key)) ?? { settledAmount: 0, fees: 0 };
      sums.set(rateKey(currency, key), {
        settledAmount: sum.settledAmount + settledAmount,
        fees: sum.fees + fees,
      });
    }
  }
  return new Map(
    [...sums]
      .filter(([, { settledAmount }]) => settledAmount > 0)
      .map(([key, { settledAmount, fees }]) => [key, fees / settledAmount]),
  );
}

/** The turn of a service does not matter for its fee. */
const rateKey = (currency: string, cell: string): string => `${currency} ${cell.split(' ', 1)[0]}`;
