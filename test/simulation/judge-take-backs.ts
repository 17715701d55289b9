import type { Entry } from './books.ts';
import type { Evidence, Violation } from './judge.ts';
import { isSaleOf, reversalsOf } from './judge-money.ts';
import type { OperationRow, TransactionRow } from './state.ts';

/**
 * Checks that each success that a provider took back is booked once, as an entry of its own. Every webhook must have been
 * applied, or found to change nothing.
 */
export function judgeTakeBacks(evidence: Evidence): Violation[] {
  const { state, books, sent } = evidence;
  const byKey = Map.groupBy(books.entries, ({ key }) => key);
  const ended = new Map(state.webhooks.map((row) => [row.event_key, row.state]));
  const known = new Set(state.operations.map((row) => row.provider_reference));
  const broken = [
    ...state.operations.flatMap((operation) => judgeReversal(operation, byKey.get(operation.id) ?? [])),
    ...state.transactions.flatMap((row) => judgeExpiry(row, evidence)),
    ...sent.flatMap(({ id, reference }) => {
      const found = ended.get(id);
      // A reference that never became known here names no operation.
      if (found === undefined && reference !== null && !known.has(reference)) return [];
      if (found === undefined) return [`the webhook ${id} found no payment`];
      return found === 'applied' || found === 'ignored' ? [] : [`the webhook ${id} is ${found}`];
    }),
  ];
  return broken.map((message) => ({ kind: 'taken back', message }));
}

/** Returns the part of an operation that the provider took back. A failed operation never counted. */
const takenOf = ({ status }: OperationRow, entries: readonly Entry[]): number =>
  status === 'succeeded' ? entries.reduce((sum, { reversed }) => sum + reversed, 0) : 0;

function judgeReversal(operation: OperationRow, entries: readonly Entry[]): string[] {
  const { id, reversed_amount: says } = operation;
  const parts = reversalsOf(operation).reduce((sum, { amount }) => sum + amount, 0);
  const really = takenOf(operation, entries);
  const broken = [
    says !== really && `operation ${id} says reversed ${says}, really ${really}`,
    says !== parts && `operation ${id} says reversed ${says} by parts of ${parts}`,
  ];
  return broken.flatMap((what) => (what ? [what] : []));
}

/** Checks that nothing of an expired authorisation stays open, and that no other authorisation is expired. */
function judgeExpiry(row: TransactionRow, { state, books }: Evidence): string[] {
  const ours = new Map(
    state.operations.flatMap((one) => (one.transaction_id === row.id ? [[one.id, one] as const] : [])),
  );
  const isExpired = books.entries.some(
    ({ key, expired }) =>
      expired && ours.get(key)?.kind === 'authorize' && ours.get(key)?.status === 'succeeded',
  );
  const isOpen =
    row.status === 'authorization_succeeded' || (row.status === 'capture_succeeded' && !row.capture_closed);
  const isPending = [...ours.values()].some(({ status }) => status === 'pending');
  const broken = [
    row.expired_at !== null && !isExpired && 'expired, and the provider says nothing of it',
    row.expired_at !== null && isSaleOf(row) && 'expired as a sale',
    isExpired && isOpen && !isPending && `is ${row.status} and open after its authorisation expired`,
  ];
  return broken.flatMap((what) => (what ? [`transaction ${row.id} ${what}`] : []));
}
