import type { Judged } from './aims-of-fraud.ts';
import type { Drawing } from './plan.ts';
import type { Random } from './random.ts';
import type { Verdict } from './third-party.ts';

/**
 * Draws a decision of the anti-fraud service. A review is the most frequent, because its consequences are the
 * longest.
 */
export const drawVerdict = (random: Random, { verdicts }: Judged): Verdict =>
  verdicts.includes('review') && random.chance(0.4) ? 'review' : random.pick(verdicts);

/**
 * Draws the probability of a fault in a request to the anti-fraud service. Without faults when the aim needs the
 * answer.
 */
export const drawCheckFaults = (random: Random, { verdicts }: Judged): number =>
  verdicts.length === 1 ? 0 : random.pick([0, 0.3, 0.6]);

/**
 * Draws who ends the reviews of a round: merchants, the anti-fraud service, or several at once with possibly
 * different decisions.
 */
export function addEndings(drawing: Drawing, judged: Judged, isFirst: boolean): void {
  const { random, payments, create } = drawing;
  for (const of of payments()) {
    const isOpen = create(of).verdict === 'review';
    if (isFirst && judged.ending && isOpen) addEnding(drawing, of, judged.ending);
    const chance = isOpen ? 0.35 : 0.1;
    for (let endings = random.int(1, 3); endings > 0; endings -= 1)
      if (random.chance(chance)) addEnding(drawing, of, random.pick(['resolve', 'tell']));
  }
  if (random.chance(0.4)) drawing.add({ kind: 'apply' });
}

function addEnding({ random, add, key, create }: Drawing, of: number, kind: 'resolve' | 'tell'): void {
  const decision = random.pick(['accept', 'reject'] as const);
  if (kind === 'resolve')
    return add({ kind, of, decision, key: key(create(of).merchant), stranger: random.chance(0.04) });
  add({
    ...{ kind, of, decision, version: random.pick(['2.1', '10.2'] as const) },
    times: random.chance(0.25) ? 2 : 1,
  });
}
