/** Reproducible randomness: the same seeds give the same draws, on every machine. */
export type Random = {
  /** Draws a whole number from min to max, both included. */
  int(min: number, max: number): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Picks an item by weight. At least one weight must be above 0. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item;
  bytes(count: number): Buffer;
};

/**
 * Implements sfc32 (Chris Doty-Humphrey's small fast counting generator), seeded from any numbers. Not for secrets.
 */
export function createRandom(...seeds: readonly number[]): Random {
  const next = sfc32(seeds);
  const fraction = (): number => next() / 2 ** 32;
  return {
    int: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    chance: (probability) => fraction() < probability,
    pick: (items) => items[Math.floor(fraction() * items.length)] as (typeof items)[number],
    weighted: (items) => {
      let left = fraction() * items.reduce((sum, [weight]) => sum + weight, 0);
      const found = items.find(([weight]) => (left -= weight) < 0) ?? items.at(-1);
      return (found as (typeof items)[number])[1];
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => next() & 0xff)),
  };
}

/** Returns a generator of whole numbers from 0 to 2^32 - 1. */
function sfc32(seeds: readonly number[]): () => number {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (const seed of seeds) {
    a ^= seed | 0;
    b ^= Math.floor(seed / 2 ** 32);
    for (let round = 0; round < 12; round += 1) next();
  }
  return next;
}
