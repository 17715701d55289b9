import { readFileSync } from 'node:fs';
import { breakingChanges } from './breaking-changes.ts';
import type { AllowedBreak } from './allowed.ts';
import { isDay } from '../../support/day.ts';

/** The contract of the last release. `npm run release:schema` writes the file. */
export const RELEASED = new URL('contract.graphql', import.meta.url);

/** Reads the contract of the last release. */
export const readReleased = (): string => readFileSync(RELEASED, 'utf8');

/**
 * Lists the faults of a present contract against a released one:
 *
 * - breaks that nobody allowed
 * - entries of allowed breaks that are incomplete or fit no break
 */
export function contractFaults(
  released: string,
  present: string,
  allowed: readonly AllowedBreak[],
): readonly string[] {
  const changes = breakingChanges(released, present);
  const open = changes.filter((change) => !allowed.some((entry) => entry.change === change));
  return [
    ...open.map((change) => `Breaks the last release: ${change}`),
    ...allowed.flatMap(entryFaults(changes)),
  ];
}

const entryFaults =
  (changes: readonly string[]) =>
  ({ change, reason, since }: AllowedBreak): readonly string[] => [
    ...(changes.includes(change) ? [] : [`Allowed, and no break: ${change}`]),
    ...(reason.trim() === '' ? [`Allowed without a reason: ${change}`] : []),
    ...(isDay(since) ? [] : [`Allowed without a day as YYYY-MM-DD: ${change}`]),
  ];
