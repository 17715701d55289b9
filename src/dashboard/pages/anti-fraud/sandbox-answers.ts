import type { AntiFraudDecision } from '../../../client/generated/schema.ts';

/** The decisions of the sandbox by the part of the buyer's e-mail address before the `@`. */
export const SANDBOX_ANSWERS: readonly (readonly [name: string, decision: AntiFraudDecision])[] = [
  ['accept', 'ACCEPT'],
  ['reject', 'REJECT'],
  ['review', 'REVIEW'],
  ['error', 'ERROR'],
  ['unavailable', 'ERROR'],
  ['timeout', 'EXCEPTION'],
];
