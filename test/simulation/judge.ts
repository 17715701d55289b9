import type { Books } from './books.ts';
import type { Exchange } from './client.ts';
import type { ServiceKind } from './harness.ts';
import { judgeAuthentication } from './judge-authentication.ts';
import { judgeGiftCards } from './judge-gift-cards.ts';
import { judgeChanges } from './judge-changes.ts';
import { judgeDisputes } from './judge-disputes.ts';
import { judgeElsewhere } from './elsewhere/judge.ts';
import { judgeEvents } from './judge-events.ts';
import { judgeFraud } from './judge-fraud.ts';
import { judgeKeys } from './judge-keys.ts';
import { judgeMoney } from './judge-money.ts';
import { judgeRefunds } from './judge-refunds.ts';
import { judgeReports } from './judge-reports.ts';
import { judgeCircuits } from './circuits.ts';
import { judgeRules } from './judge-rules.ts';
import { judgeSplits } from './judge-splits.ts';
import { judgeTakeBacks } from './judge-take-backs.ts';
import { judgeTransactions } from './judge-transactions.ts';
import type { Quarrel } from './quarrels.ts';
import type { Repeat } from './repeats.ts';
import type { Commit } from './stage.ts';
import type { Heads, State } from './state.ts';
import type { Notice } from './third-party.ts';
import type { Sent } from './webhooks.ts';

/** A broken rule. `money` means too much, twice, or a difference from the books. */
export type Violation = {
  readonly kind:
    | 'circuits'
    | 'money'
    | 'gift cards'
    | 'authentication'
    | 'fraud'
    | 'taken back'
    | 'elsewhere'
    | 'disputes'
    | 'ledger'
    | 'status'
    | 'events'
    | 'reports'
    | 'rules'
    | 'keys'
    | 'pending'
    | 'card'
    | 'tenant'
    | 'surprise';
  readonly message: string;
};

/** Everything known after a history. */
export type Evidence = {
  readonly state: State;
  /** The ends of the feeds and of the log before the history. */
  readonly heads: Heads;
  /** The providers' books, which show the real effects. */
  readonly books: Books;
  /** The kind of each payment service, by id. */
  readonly services: ReadonlyMap<string, ServiceKind>;
  readonly serviceOf: (merchant: number, kind: ServiceKind) => string;
  /** The active version of each merchant's own rules. */
  readonly versions: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly repeats: readonly Repeat[];
  /** Requests to the provider while keys were only repeated. */
  readonly callsByRepeats: number;
  readonly surprises: readonly string[];
  /** Commits in their order. */
  readonly commits: readonly Commit[];
  /** Notices of reviews that were answered with 200. */
  readonly taken: readonly Notice[];
  /** The disputes in the providers' books. */
  readonly quarrels: readonly Quarrel[];
  /** The events that payment providers sent. */
  readonly sent: readonly Sent[];
  /** Operations that a person has resolved by the books. */
  readonly resolved: ReadonlySet<string>;
  /** Operations of any history that are still pending at the end. */
  readonly pending: readonly string[];
};

/** Lists every violation in a history. An empty list means success. */
export function judge(evidence: Evidence): Violation[] {
  const { state, surprises, pending, exchanges } = evidence;
  const violations: Violation[] = [
    ...judgeMoney(evidence),
    ...judgeChanges(evidence),
    ...judgeRefunds(evidence),
    ...judgeSplits(evidence),
    ...judgeGiftCards(evidence),
    ...judgeAuthentication(evidence),
    ...judgeFraud(evidence),
    ...judgeTransactions(evidence),
    ...judgeTakeBacks(evidence),
    ...judgeDisputes(evidence),
    ...judgeElsewhere(evidence),
    ...judgeEvents(evidence),
    ...judgeReports(evidence),
    ...judgeCircuits(evidence),
    ...judgeRules(evidence),
    ...judgeKeys(evidence),
  ];
  const broken = (kind: Violation['kind'], message: string): void => void violations.push({ kind, message });
  for (const operation of pending) broken('pending', operation);
  for (const row of state.transactions) {
    const { id, capture_pending_amount, refund_pending_amount, void_pending, captures_accepted } = row;
    if (row.increase_pending_amount !== 0 || row.reauthorize_pending)
      broken('pending', `transaction ${id} still reserves a change of its authorisation`);
    if (
      capture_pending_amount !== 0 ||
      refund_pending_amount !== 0 ||
      captures_accepted !== 0 ||
      void_pending
    )
      broken('pending', `transaction ${id} still reserves`);
  }
  for (const { id, status, sealed_card, sealed_returned } of state.operations) {
    if (status !== 'pending' && sealed_returned !== null)
      broken('card', `operation ${id} is ${status} and keeps the parameters of a return`);
    if (status !== 'pending' && sealed_card !== null)
      broken('card', `operation ${id} is ${status} and keeps its card`);
  }
  for (const { requested, heard } of exchanges) {
    if (requested.stranger && (heard.kind === 'answered' || heard.kind === 'synced'))
      broken('tenant', `a stranger's ${requested.kind} was heard: ${JSON.stringify(heard)}`);
  }
  for (const message of surprises) broken('surprise', message);
  return violations;
}
