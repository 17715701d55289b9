import type { Verb } from '../../src/connectors/interface/requests.ts';
import type { Money } from '../../src/kernel/money.ts';
import type { Desk } from './contract-desk.ts';
import type { Decision } from './contract-provider.ts';
import { expect } from './runner.ts';

export const CODE = { errorCode: expect.stringMatching(/^[a-z_]+$/) };
export const RECEIVED = { kind: 'accepted', reference: expect.stringMatching(/./) };

/** Returns the outcome of a decision, as the provider's answer tells the outcome. */
export function answerOf(
  desk: Desk,
  verb: Verb,
  decision: 'approve' | 'decline' | 'fail',
  money: Money,
): object {
  if (desk.manner.receives.includes(verb)) return RECEIVED;
  if (decision === 'approve') return { kind: 'succeeded', reference: expect.stringMatching(/./), money };
  return { kind: decision === 'decline' ? 'declined' : 'failed', ...CODE };
}

export const answerKindOf = (desk: Desk, verb: Verb): 'accepted' | 'succeeded' =>
  desk.manner.receives.includes(verb) ? 'accepted' : 'succeeded';

/** Expects the decision, or that the provider has received the request. */
export function expectLearned(
  desk: Desk,
  { verb, decision }: { readonly verb: Verb; readonly decision: Decision },
  learned: Awaited<ReturnType<Desk['learn']>>,
): void {
  const kinds = { approve: ['succeeded'], decline: ['declined'], fail: ['failed'] } as const;
  const [kind] =
    decision === 'approve' || decision === 'decline' || decision === 'fail' ? kinds[decision] : [];
  const isForgotten = desk.manner.forgets.includes(decision);
  // A decision without a trace is not found, and not invented.
  if (isForgotten && (learned === null || learned.kind === 'unknown')) return;
  expect([kind, ...(desk.manner.receives.includes(verb) ? ['accepted'] : [])]).toContain(learned?.kind);
}
