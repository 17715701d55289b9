import { hash } from 'node:crypto';

/** Draws are whole numbers below this one. A whole number is stored and shown without loss. */
export const DRAWS = 1_000_000;

/**
 * Draws the number of a subject in a rule, from 0 to 999 999. The same rule set, rule and subject always give the same number.
 * Another rule gives an independent number.
 */
export function drawOf(rule: { readonly ruleSetId: string; readonly name: string }, subject: string): number {
  // The name may hold any character, so lengths would be ambiguous without JSON.
  const digest = hash('sha256', JSON.stringify([rule.ruleSetId, rule.name, subject]), 'hex');
  // 48 bits are exact in a double, and their remainder favours no draw by more than one in 10^8.
  return Number.parseInt(digest.slice(0, 12), 16) % DRAWS;
}

/**
 * Returns the index of the share that a draw falls into. The shares take the draws in their order. So a buyer stays in the first
 * share when its weight grows at the cost of the second.
 */
export function shareAt(weights: readonly number[], draw: number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let upTo = 0;
  return weights.findIndex((weight) => {
    upTo += weight;
    return draw * total < upTo * DRAWS;
  });
}

/**
 * Returns the index of the service among `count` that a draw tries. Returns -1 for a draw outside the share. The share is in percent. The
 * services divide the share into equal parts, in their order.
 */
export function othersAt(count: number, share: number, draw: number): number {
  const end = (share * DRAWS) / 100;
  return draw < end ? Math.floor((draw * count) / end) : -1;
}
