import { mutationOf, type Requested, type Exchange, type Heard } from './client.ts';
import type { Commit } from './stage.ts';
import { MERCHANTS } from './harness.ts';
import type { Evidence, Violation } from './judge.ts';
import type { KeyRow, OperationRow, Row } from './state.ts';

/** Checks that each key has one operation and one input. Final answers must stay the same, byte for byte. */
export function judgeKeys(evidence: Evidence): Violation[] {
  const { state, exchanges, callsByRepeats } = evidence;
  const broken: (string | false)[] = [
    callsByRepeats > 0 && `asking again called the provider ${callsByRepeats} times`,
    ...state.keys.flatMap((key) => judgeKey(key, evidence)),
    ...operationsPerKey(state.operations),
    ...exchanges.flatMap((exchange) => judgeAnswer(exchange, state.operations)),
    ...state.keys.flatMap((key) => judgeResult(key, state.operations)),
  ];
  return broken.flatMap((message) => (message ? [{ kind: 'keys', message }] : []));
}

const nameOf = ({ kind, key, amount }: Requested): string =>
  `${kind} of ${amount ?? 'the rest'} under ${key ?? 'no key'}`;

/** Checks one key. Exactly one request took effect. Every repeat gets the recorded answer. */
function judgeKey(record: KeyRow, { exchanges, repeats, state, commits }: Evidence): string[] {
  const mine = ({ requested }: Exchange): boolean =>
    requested.key === record.key &&
    mutationOf(requested.kind) === record.operation &&
    MERCHANTS[requested.merchant].id === record.merchant;
  const answered = ({ heard }: Exchange): boolean => heard.kind === 'answered';
  const again = repeats.filter(mine);
  const all = [...exchanges.filter(mine), ...again];
  const notified = new Set(all.filter(answered).map(({ requested }) => JSON.stringify(requested)));
  const notifiedAgain = new Set(again.filter(answered).map(({ requested }) => JSON.stringify(requested)));
  const refused = again.filter(({ requested }) => !notifiedAgain.has(JSON.stringify(requested)));
  return [
    ...(notified.size > 1 ? [`${record.key} answers different requests: ${[...notified].join(', ')}`] : []),
    ...(notifiedAgain.size === 0 && again.length > 0 ? [`${record.key} is not answered again`] : []),
    ...refused.flatMap(({ requested, heard }) =>
      heard.kind === 'refused' && heard.refusals.join() === 'IdempotencyKeyReused'
        ? []
        : [`${nameOf(requested)} was refused as ${JSON.stringify(heard)}`],
    ),
    ...all.flatMap(({ heard }) =>
      heard.kind === 'answered' ? compare(heard, record, { operations: state.operations, commits }) : [],
    ),
  ];
}

/**
 * Compares a settled answer with the rows that the outcome wrote. The first answer may be newer, when another process had settled. It
 * may have a reversal or a reference that came since.
 */
function compare(
  answer: Extract<Heard, { kind: 'answered' }>,
  record: KeyRow,
  {
    operations,
    commits,
  }: { readonly operations: readonly OperationRow[]; readonly commits: readonly Commit[] },
): string[] {
  const { key, resource_id } = record;
  const { operation, transaction, replayed } = answer;
  // The payment may have continued at another service since.
  const now = operations.find(({ id }) => id === operation.id);
  const goneOn = operation.status === 'pending' && (now?.status === 'declined' || now?.status === 'failed');
  if (operation.id !== resource_id && goneOn) return [];
  if (operation.id !== resource_id) return [`${key} answers operation ${operation.id}, not ${resource_id}`];
  const written = writtenBy(record, commits);
  if (operation.status === 'pending') return [];
  if (!written)
    return replayed && operation.errorCode === 'canceled' ? compareEnded(key, transaction, commits) : [];
  const reported = JSON.stringify({ operation, transaction: lasting(transaction) });
  const stored = JSON.stringify({
    operation: camel(written.operation),
    transaction: lasting(camel(written.transaction)),
  });
  if (replayed && reported !== stored) return [`${key} is replayed as ${reported}, written as ${stored}`];
  const same = JSON.stringify(settled(operation)) === JSON.stringify(settled(camel(written.operation)));
  return same ? [] : [`${key} was answered with ${reported}, written as ${stored}`];
}

/** Compares the replayed payment of an authorisation that a cancellation ended with the one that the cancellation wrote. */
function compareEnded(key: string, transaction: Row, commits: readonly Commit[]): string[] {
  const ended = commits.find(
    ({ statement, transactionId, written }) =>
      written && statement === 'settle_cancel_succeeded' && transactionId === transaction['id'],
  );
  if (!ended) return [];
  const stored = JSON.stringify(lasting(camel((ended.written as Written).transaction)));
  const reported = JSON.stringify(lasting(transaction));
  return reported === stored ? [] : [`${key} is replayed as ${reported}, the cancellation wrote ${stored}`];
}

type Written = { readonly operation: Row; readonly transaction: Row };

/** Returns the rows of an answer: the copy in the record, or the rows of the outcome's commit. */
function writtenBy({ result, resource_id }: KeyRow, commits: readonly Commit[]): Written | undefined {
  if (result !== null) return JSON.parse(result) as Written;
  const outcome = commits.findLast(({ operationId, written }) => operationId === resource_id && written);
  return outcome?.written as Written | undefined;
}

/** Removes the mark of a dispute. It is for the filters of lists, and no answer shows it. */
const lasting = ({ disputed: _, ...transaction }: Row): Row => transaction;

/** Removes the parts of a settled operation that later webhooks may change. */
const settled = (operation: Row): Row => ({
  ...operation,
  ...{ reversals: null, reversedAmount: 0, providerReference: null, updatedAt: null },
});

/** Converts the column names of a row to the field names of the modules. */
const camel = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      /_(at|until)$/.test(name) && typeof value === 'string' ? new Date(value) : value,
    ]),
  );

/** Checks that an ended operation has a stored answer. */
function judgeResult({ key, resource_id, answered }: KeyRow, operations: readonly OperationRow[]): string[] {
  const operation = operations.find(({ id }) => id === resource_id);
  if (!operation) return [`${key} leads to ${resource_id}, which is no operation`];
  return operation.status !== 'pending' && !answered
    ? [`${key} has no answer, and ${resource_id} is ${operation.status}`]
    : [];
}

/** Lists keys with several operations. All authorisations of one payment count as one. */
function operationsPerKey(operations: readonly OperationRow[]): string[] {
  const keyed = operations.filter(({ idempotency_key: key }) => key !== null);
  const groups = Map.groupBy(
    keyed,
    ({ merchant_account_id: merchant, kind, idempotency_key: key }) => `${merchant} ${kind} ${key ?? ''}`,
  );
  return [...groups].flatMap(([key, rows]) => {
    const things = new Set(
      rows.map(({ kind, id, transaction_id }) => (kind === 'authorize' ? transaction_id : id)),
    );
    return things.size > 1 ? [`${things.size} operations under ${key}`] : [];
  });
}

/** Checks that an answer fits its request. A final answer must stay final. */
function judgeAnswer({ requested, heard }: Exchange, operations: readonly OperationRow[]): string[] {
  if (heard.kind !== 'answered') return [];
  const { operation, transaction } = heard;
  const now = operations.find(({ id }) => id === operation.id);
  const broken = [
    !KINDS[requested.kind].includes(operation.kind) &&
      `a ${requested.kind} was answered with a ${operation.kind}`,
    requested.transactionId !== null &&
      requested.transactionId !== transaction.id &&
      `another transaction was answered`,
    requested.amount !== null &&
      amountOf(heard, operations) !== requested.amount &&
      `${nameOf(requested)} was made one of ${operation.amount}`,
    requested.kind !== 'resolve' &&
      requested.final !== operation.final &&
      `${nameOf(requested)} was made ${operation.final ? '' : 'not '}final`,
    operation.status !== 'pending' &&
      operation.status !== now?.status &&
      `operation ${operation.id} was ${operation.status} and is now ${now?.status ?? 'gone'}`,
  ];
  return broken.flatMap((message) => (message ? [message] : []));
}

/** The kinds of operations in an answer. A review returns its follow-up, or the authorisation without one. */
const KINDS: Readonly<Record<Requested['kind'], readonly string[]>> = {
  create: ['authorize'],
  increase: ['increase'],
  reauthorize: ['reauthorize'],
  capture: ['capture'],
  refund: ['refund'],
  void: ['void'],
  cancel: ['cancel'],
  resolve: ['capture', 'void', 'authorize'],
  sync: [],
};

/**
 * Returns the amount of a request. Redemptions and authorisation are summed, and so are the parts of a refund.
 */
function amountOf(
  { operation, transaction }: Extract<Heard, { kind: 'answered' }>,
  operations: readonly OperationRow[],
): number {
  if (operation.kind === 'authorize') return operation.amount + transaction.giftCardAmount;
  const batch = operations.find(({ id }) => id === operation.id)?.batch_id ?? null;
  if (batch === null) return operation.amount;
  const parts = operations.filter((one) => one.batch_id === batch);
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}
