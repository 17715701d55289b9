/** Minor units (integer, 0 to 99 999 999) of an ISO 4217 currency. Never a float. */
export type Money = { readonly amount: number; readonly currency: string };

/** The largest amount that the specification allows ("Payment link", "Limits"). */
export const AMOUNT_MAX = 99_999_999;

export const sameMoney = (a: Money, b: Money): boolean => a.amount === b.amount && a.currency === b.currency;

/**
 * Apportions an amount by weights, by the largest remainder. The parts add up to the amount, and no part is above its weight.
 * The first of equal remainders comes first.
 *
 * - amount: from 0 to the sum of the weights. Throws above the sum.
 * - unit: each part is a multiple. The amount and the weights must be multiples too. Throws otherwise.
 */
export function apportion(amount: number, weights: readonly number[], unit = 1): readonly number[] {
  if ([amount, ...weights].some((each) => each % unit !== 0))
    throw new RangeError('An amount, or a weight, is no multiple of the unit.');
  return inUnits(
    amount / unit,
    weights.map((weight) => weight / unit),
  ).map((part) => part * unit);
}

function inUnits(amount: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (amount > sum) throw new RangeError('An amount above the sum of its weights has no parts.');
  if (sum === 0) return weights.map(() => 0);
  const quotas = weights.map((weight, place) => quotaOf(amount, weight, sum, place));
  const rest = amount - quotas.reduce((all, { whole }) => all + whole, 0);
  const favoured = new Set(
    quotas
      .toSorted((one, other) => other.remainder - one.remainder || one.place - other.place)
      .slice(0, rest)
      .map(({ place }) => place),
  );
  return quotas.map(({ whole, place }) => whole + (favoured.has(place) ? 1 : 0));
}

type Quota = { readonly place: number; readonly whole: number; readonly remainder: number };

/** The product of two amounts can exceed the safe integers. The remainder is below the sum, which cannot. */
function quotaOf(amount: number, weight: number, sum: number, place: number): Quota {
  const product = BigInt(amount) * BigInt(weight);
  return { place, whole: Number(product / BigInt(sum)), remainder: Number(product % BigInt(sum)) };
}
