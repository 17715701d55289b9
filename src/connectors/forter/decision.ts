import { z } from 'zod';
import type { AntiFraudDecision, CheckAnswer } from '../door.ts';
import { recommends } from './definition.ts';

const answer = z.object({
  status: z.string().optional(),
  action: z.string().optional(),
  forterDecision: z.string().optional(),
  transaction: z.string().min(1).nullish(),
  reasonCode: z.string().nullish(),
  decisionReason: z.string().nullish(),
  message: z.string().nullish(),
  recommendation: z.string().nullish(),
  recommendations: z.array(z.string()).nullish(),
});

type Answer = z.output<typeof answer>;

/** The words of both forms of the answer, in lower case with spaces. */
const DECISIONS: ReadonlyMap<string, AntiFraudDecision> = new Map([
  ['approve', 'accept'],
  ['decline', 'reject'],
  ['pending', 'review'],
  ['verification required', 'review'],
  // Forter has no opinion, as of a site that only listens.
  ['not reviewed', 'skipped'],
]);

/**
 * Maps an answer to our decision. A failure or another word is `error`, with the word as its code. The third party's
 * recommendations are part of the description, in versions that have them. Nobody acts on them.
 */
export function decisionIn(given: unknown, { key, version }: Asked): CheckAnswer {
  const parsed = answer.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { data } = parsed;
  const word = data.status === 'failed' ? null : (data.action ?? data.forterDecision ?? null);
  const decision = (word !== null && decisionOf(word)) || 'error';
  return {
    kind: 'decided',
    decision,
    reference: data.transaction ?? key,
    rawResponseCode: data.reasonCode ?? data.decisionReason ?? (decision === 'error' ? word : null),
    rawResponseDescription: descriptionOf(data, version),
  };
}

type Asked = { readonly key: string; readonly version: string };

/** Returns our decision for a word. Null for another word. */
export const decisionOf = (word: string): AntiFraudDecision | null =>
  DECISIONS.get(word.toLowerCase().replaceAll('_', ' ')) ?? null;

function descriptionOf({ message, recommendation, recommendations }: Answer, version: string): string | null {
  const advice = recommends(version)
    ? [...(recommendations ?? []), recommendation ?? ''].filter((word) => word !== '')
    : [];
  const advised = advice.length > 0 ? `Recommended: ${[...new Set(advice)].join(', ')}.` : '';
  return [message ?? '', advised].filter((part) => part !== '').join(' ') || null;
}
