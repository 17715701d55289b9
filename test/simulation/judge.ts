import type { Books } from './books.ts';
import type { Exchange } from './client.ts';
import type { ServiceKind } from './house.ts';
import { judgeAuthentication } from './judge-authentication.ts';
import { judgeGiftCards } from './judge-gift-cards.ts';
import { judgeEvents } from './judge-events.ts';
import { judgeFraud } from './judge-fraud.ts';
import { judgeKeys } from './judge-keys.ts';
import { judgeMoney } from './judge-money.ts';
import { judgeTransactions } from './judge-transactions.ts';
import type { Repeat } from './repeats.ts';
import type { Commit } from './stage.ts';
import type { Heads, State } from './state.ts';
import type { Notice } from './third-party.ts';

/** What must never be. `money`: too much, twice, or other than the books say. */
export type Violation = {
  readonly kind:
    | 'money'
    | 'gift cards'
    | 'authentication'
    | 'fraud'
    | 'ledger'
    | 'status'
    | 'events'
    | 'keys'
    | 'pending'
    | 'card'
    | 'tenant'
    | 'surprise';
  readonly message: string;
};

/** All that is known after a history. */
export type Evidence = {
  readonly state: State;
  /** Where feeds and log stood before the history. */
  readonly heads: Heads;
  /** The providers' books, the judge of what was done. */
  readonly books: Books;
  /** What each payment service is, by id. */
  readonly services: ReadonlyMap<string, ServiceKind>;
  readonly exchanges: readonly Exchange[];
  readonly repeats: readonly Repeat[];
  /** Requests that the provider got while keys were only asked again. */
  readonly callsByRepeats: number;
  readonly surprises: readonly string[];
  /** In the order of the commits. */
  readonly commits: readonly Commit[];
  /** What the third party has told of reviews and was answered with 200. */
  readonly taken: readonly Notice[];
  /** Operations that a person has resolved by the books. */
  readonly resolved: ReadonlySet<string>;
  /** What is pending after everything, of whatever history. */
  readonly pending: readonly string[];
};

/** Everything that is wrong after a history; empty when it went well. */
export function judge(evidence: Evidence): Violation[] {
  const { state, surprises, pending, exchanges } = evidence;
  const violations: Violation[] = [
    ...judgeMoney(evidence),
    ...judgeGiftCards(evidence),
    ...judgeAuthentication(evidence),
    ...judgeFraud(evidence),
    ...judgeTransactions(evidence),
    ...judgeEvents(evidence),
    ...judgeKeys(evidence),
  ];
  const broken = (kind: Violation['kind'], message: string): void => void violations.push({ kind, message });
  for (const operation of pending) broken('pending', operation);
  for (const row of state.transactions) {
    const { id, capture_pending_amount, refund_pending_amount, void_pending, captures_accepted } = row;
    if (
      capture_pending_amount !== 0 ||
      refund_pending_amount !== 0 ||
      captures_accepted !== 0 ||
      void_pending
    )
      broken('pending', `transaction ${id} still reserves`);
  }
  for (const { id, status, sealed_card } of state.operations) {
    if (status !== 'pending' && sealed_card !== null)
      broken('card', `operation ${id} is ${status} and keeps its card`);
  }
  for (const { asked, heard } of exchanges) {
    if (asked.stranger && (heard.kind === 'answered' || heard.kind === 'synced'))
      broken('tenant', `a stranger's ${asked.kind} was heard: ${JSON.stringify(heard)}`);
  }
  for (const message of surprises) broken('surprise', message);
  return violations;
}
