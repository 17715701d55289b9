import { joined, type Range } from './bin-ranges.ts';

/**
 * A set of values of one fact. `unknown` is true if the set contains payments without a value. All operations are exact, so a
 * warning that follows from them is never wrong.
 */
export type Domain = { readonly unknown: boolean; readonly known: Texts | Numbers };

/** The listed texts, or all but the listed ones. */
export type Texts = {
  readonly kind: 'texts';
  readonly values: ReadonlySet<string>;
  readonly allBut: boolean;
};

/** Ranges of whole numbers within a span. */
export type Numbers = { readonly kind: 'numbers'; readonly ranges: readonly Range[]; readonly span: Range };

export const textsOf = (values: Iterable<string>): Domain => ({
  unknown: false,
  known: { kind: 'texts', values: new Set(values), allBut: false },
});

/** Returns the domain of all payments with any value. */
export const anyText = (): Domain => ({
  unknown: false,
  known: { kind: 'texts', values: new Set(), allBut: true },
});

export const numbersWithin = (span: Range, ranges: readonly Range[]): Domain => ({
  unknown: false,
  known: { kind: 'numbers', ranges: joined(ranges.filter(([from, to]) => from <= to)), span },
});

/** Returns the payments that are not in the domain. */
export function complement({ unknown, known }: Domain): Domain {
  if (known.kind === 'texts') return { unknown: !unknown, known: { ...known, allBut: !known.allBut } };
  const { ranges, span } = known;
  const starts = [span[0], ...ranges.map(([, to]) => to + 1)];
  const ends = [...ranges.map(([from]) => from - 1), span[1]];
  const gaps = starts.map((from, index): Range => [from, ends[index] ?? from - 1]);
  return { ...numbersWithin(span, gaps), unknown: !unknown };
}

/** Returns the payments that are in both domains. Both must be of one fact. */
export function intersection(one: Domain, other: Domain): Domain {
  const unknown = one.unknown && other.unknown;
  if (one.known.kind === 'texts' && other.known.kind === 'texts')
    return { unknown, known: commonTexts(one.known, other.known) };
  if (one.known.kind !== 'numbers' || other.known.kind !== 'numbers')
    throw new Error('The domains are of different facts.');
  const { ranges, span } = other.known;
  return { ...numbersWithin(span, commonRanges(one.known.ranges, ranges)), unknown };
}

/** Returns the common parts of two sorted lists of ranges. Two lists of thousands take as many steps as they have ranges. */
function commonRanges(one: readonly Range[], other: readonly Range[]): readonly Range[] {
  const common: Range[] = [];
  let [at, beside] = [0, 0];
  for (;;) {
    const [first, second] = [one[at], other[beside]];
    if (!first || !second) return common;
    common.push([Math.max(first[0], second[0]), Math.min(first[1], second[1])]);
    if (first[1] < second[1]) at += 1;
    else beside += 1;
  }
}

function commonTexts(one: Texts, other: Texts): Texts {
  if (one.allBut && other.allBut) return { ...one, values: new Set([...one.values, ...other.values]) };
  const [listed, limit] = one.allBut ? [other, one] : [one, other];
  return {
    ...listed,
    values: new Set([...listed.values].filter((value) => limit.values.has(value) !== limit.allBut)),
  };
}

/** Returns the payments that are in one of the domains. */
export const union = (one: Domain, other: Domain): Domain =>
  complement(intersection(complement(one), complement(other)));

export function isEmpty({ unknown, known }: Domain): boolean {
  if (unknown) return false;
  return known.kind === 'texts' ? !known.allBut && known.values.size === 0 : known.ranges.length === 0;
}

/** Tells whether each payment of one domain is in the other. */
export const isSubset = (one: Domain, other: Domain): boolean =>
  isEmpty(intersection(one, complement(other)));
