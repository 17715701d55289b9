import { createHash } from 'node:crypto';
import type { CheckReply102, CheckRequest102 } from './wire-10-2.ts';
import type { CheckReply21, CheckRequest21 } from './wire-2-1.ts';

/** An answer of the third party: an HTTP status, with a body under 200. */
export type Simulated<Reply> =
  | { readonly status: 200; readonly body: Reply }
  | { readonly status: 503; readonly body: null };

const UNAVAILABLE = { status: 503, body: null } as const;

/**
 * Answers a check in version 2.1 as the built-in third party. A pure function of the request.
 *
 * The local part of the buyer's e-mail address chooses the decision, in both versions. Any other address is
 * accepted.
 */
export function simulate21({ check_ref, email }: CheckRequest21): Simulated<CheckReply21> {
  const answer = answerFor(email);
  if (answer === 'unavailable') return UNAVAILABLE;
  const { letter, code, message } = ANSWERS[answer];
  const echoed = { version: '2.1', check_ref, check_id: idOf(answer, check_ref) } as const;
  return { status: 200, body: { ...echoed, decision: letter, reason_code: code, reason_text: message } };
}

/** Answers a check in version 10.2 as the built-in third party. */
export function simulate102({ requestId, customer }: CheckRequest102): Simulated<CheckReply102> {
  const answer = answerFor(customer?.email ?? null);
  if (answer === 'unavailable') return UNAVAILABLE;
  const { verdict, code, message } = ANSWERS[answer];
  const assessment = { id: idOf(answer, requestId), verdict, reasons: [{ code, message }] };
  return { status: 200, body: { apiVersion: '10.2', requestId, assessment } };
}

const ANSWERS = {
  accept: { letter: 'A', verdict: 'APPROVED', code: '100', message: 'Simulated accept' },
  reject: { letter: 'D', verdict: 'DECLINED', code: '200', message: 'Simulated reject' },
  review: { letter: 'R', verdict: 'MANUAL_REVIEW', code: '300', message: 'Simulated review' },
  error: { letter: 'E', verdict: 'FAILED', code: '500', message: 'Simulated error' },
  timeout: { letter: 'T', verdict: 'TIMED_OUT', code: '504', message: 'Simulated timeout' },
  nobody: { letter: 'N', verdict: 'NOT_ASSESSED', code: '400', message: 'No e-mail address' },
} as const;

type Answer = keyof typeof ANSWERS | 'unavailable';

const CHOSEN: readonly Answer[] = ['accept', 'reject', 'review', 'error', 'timeout', 'unavailable'];

function answerFor(email: string | null): Answer {
  if (email === null) return 'nobody';
  const [name = ''] = email.toLowerCase().split('@');
  return CHOSEN.find((answer) => answer === name) ?? 'accept';
}

/** Returns the id of a check, or null for a skipped check. */
const idOf = (answer: Answer, key: string): string | null =>
  answer === 'nobody' ? null : `chk_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`;
