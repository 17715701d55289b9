import type { BinRange } from './rule.ts';

/** A range of whole numbers, both ends included. */
export type Range = readonly [number, number];

/** The first BIN of eight digits, and the last one. */
export const BIN_SPAN: Range = [0, 99_999_999];

const BIN_LENGTH = 8;

/** Returns the numbers of a range of BINs. */
export const numbersOf = ({ from, to }: BinRange): Range => [
  Number(from.padEnd(BIN_LENGTH, '0')),
  Number(to.padEnd(BIN_LENGTH, '9')),
];

/** Sorts ranges, and joins those that touch. */
export function joined(ranges: readonly Range[]): readonly Range[] {
  const found: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = found.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

/** Tells whether a number is in one of the joined ranges. Halves the ranges at each step. */
export function isInRanges(ranges: readonly Range[], value: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle] ?? [0, -1];
    if (value < from) high = middle - 1;
    else if (value > to) low = middle + 1;
    else return true;
  }
  return false;
}
