import type { Act, FollowUp } from './acts.ts';
import { aimAt, CHANGE_FAILPOINTS, CHANGES, sides, type Aim } from './aims.ts';
import { judgedAt } from './aims-of-fraud.ts';
import { createRandom, type Random } from './random.ts';

// Some histories change authorisations. They have randomness of their own, so that all others stay as they were.

/** A history that increases or renews authorisations. */
export type Changing = { readonly random: Random; readonly aim: Aim | null };

/** The places at which a process of such a history dies. */
export const CHANGE_PLACES: readonly string[] = [
  ...CHANGE_FAILPOINTS.map((name) => `at ${name}`),
  ...CHANGES.flatMap((verb) => [
    ...sides(`claim_${verb}`, `settle_${verb}_succeeded`, `accept_${verb}`),
    `at call.${verb}`,
  ]),
];

/** The turns of the places. Each failpoint has two. */
const TURNS: readonly string[] = [...CHANGE_PLACES, ...CHANGE_FAILPOINTS.map((name) => `at ${name}`)];

/** One history of so many changes authorisations. */
const BLOCK = 12;

/** One of so many such histories has no place to die at. */
const FREE = 8;

/**
 * Chooses the histories that change authorisations. Their places come in turn, so that every place gets its
 * histories. Null for all others.
 */
export function changingAt(seed: number, index: number): Changing | null {
  const block = Math.floor(index / BLOCK);
  const first = block * BLOCK;
  if (index !== (judgedAt(seed, first) ? first + 3 : first)) return null;
  const random = createRandom(seed, index, 10);
  if (block % FREE === 0) return { random, aim: null };
  const turn = block - Math.ceil(block / FREE);
  return { random, aim: aimAt(TURNS[turn % TURNS.length] as string) };
}

/** Tells whether an aim needs a payment that is still authorised, because its act changes the authorisation. */
export const aimsAtChange = (aim: Aim | null): boolean => CHANGES.some((verb) => verb === aim?.verb);

type Payment = { readonly of: number; readonly amount: number; readonly key: string | null };

/** Draws changes of a payment, several at once sometimes, and rivals of them. */
export function drawChanges(random: Random, pay: () => Payment): readonly Extract<Act, FollowUp>[] {
  return Array.from({ length: random.int(0, 3) }, () => {
    const kind = random.weighted([
      [5, 'increase'],
      [2, 'reauthorize'],
      [1, 'void'],
      [1, 'capture'],
    ] as const);
    const { of, amount, key } = pay();
    return {
      ...{ process: random.int(0, 2), kind, of, key },
      amount: kind === 'increase' ? Math.max(1, Math.round(amount * random.pick([0.1, 0.3, 1]))) : null,
      ...{ final: kind !== 'capture' || random.chance(0.5), toAll: false, stranger: random.chance(0.04) },
    };
  });
}
