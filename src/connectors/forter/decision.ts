import { z } from 'zod';
import type { AntiFraudDecision, CheckAnswer } from '../door.ts';
import { recommends } from './definition.ts';
import { looseText } from './loose-text.ts';

/** A word of a decision. An empty word is none. */
const decisionWord = z.string().transform((text) => text || null);

/** Only the words of the decision must have their form. */
const answer = z.object({
  status: z.string().nullish(),
  action: decisionWord.nullish(),
  forterDecision: decisionWord.nullish(),
  transaction: looseText,
  reasonCode: looseText,
  decisionReason: looseText,
  message: looseText,
  recommendation: looseText,
  recommendations: z.union([z.array(looseText), looseText.transform((word) => [word])]).nullish(),
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
 *
 * A payment goes on only with the status of a success, or without a status.
 */
export function decisionIn(given: unknown, { key, version }: Asked): CheckAnswer {
  const parsed = answer.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { data } = parsed;
  const status = data.status?.toLowerCase() ?? 'success';
  const word = status === 'failed' ? null : (data.action ?? data.forterDecision ?? null);
  const meant = (word !== null && decisionOf(word)) || 'error';
  const decision = status === 'success' || STOPS.has(meant) ? meant : 'error';
  return {
    kind: 'decided',
    decision,
    reference: data.transaction ?? key,
    rawResponseCode: data.reasonCode ?? data.decisionReason ?? (decision === 'error' ? word : null),
    rawResponseDescription: descriptionOf(data, version),
  };
}

/** The decisions that count with an unknown status, too. */
const STOPS: ReadonlySet<AntiFraudDecision> = new Set(['reject', 'review']);

type Asked = { readonly key: string; readonly version: string };

/** Returns our decision for a word. Null for another word. */
export const decisionOf = (word: string): AntiFraudDecision | null =>
  DECISIONS.get(word.toLowerCase().replaceAll('_', ' ')) ?? null;

function descriptionOf({ message, recommendation, recommendations }: Answer, version: string): string | null {
  const advice = recommends(version)
    ? [...(recommendations ?? []), recommendation].flatMap((word) => word ?? [])
    : [];
  const advised = advice.length > 0 ? `Recommended: ${[...new Set(advice)].join(', ')}.` : '';
  return [message ?? '', advised].filter((part) => part !== '').join(' ') || null;
}
