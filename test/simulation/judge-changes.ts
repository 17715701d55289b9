import type { Entry } from './books.ts';
import type { Evidence, Violation } from './judge.ts';
import type { Commit } from './stage.ts';

/**
 * Checks the changes of authorisations. Each increase names the total that the provider's books then show. No change
 * reaches a voided payment. Changes and releases begin one after the other.
 */
export function judgeChanges({ state, books, commits }: Evidence): Violation[] {
  const payments = Map.groupBy(
    books.entries.filter(({ result }) => result === 'approved'),
    ({ place, paymentId }) => `${place} ${paymentId}`,
  );
  const atProviders = [...payments.values()].flatMap(judgePayment);
  const here = state.transactions.flatMap(({ id }) => judgeClaims(id, commits));
  return [
    ...atProviders.map((message): Violation => ({ kind: 'money', message })),
    ...here.map((message): Violation => ({ kind: 'status', message })),
  ];
}

/** Walks through the approved work on a payment, in the order of arrival. */
function judgePayment(entries: readonly Entry[]): string[] {
  let authorized = 0;
  let voidedBy: string | null = null;
  return entries.flatMap(({ key, verb, request }) => {
    if (verb === 'authorize' || verb === 'increase') authorized += request.amount;
    if (verb === 'void') voidedBy = key;
    if (verb !== 'increase' && verb !== 'reauthorize') return [];
    const broken = [
      voidedBy !== null && `the ${verb} ${key} came after the void ${voidedBy}`,
      verb === 'increase' &&
        request.total_amount !== authorized &&
        `the increase ${key} asked for ${request.total_amount ?? 0} of ${authorized}`,
      verb === 'reauthorize' &&
        request.amount !== authorized &&
        `the re-authorisation ${key} is of ${request.amount} of ${authorized}`,
    ];
    return broken.flatMap((what) => (what ? [what] : []));
  });
}

const CHANGE = /^claim_(increase|reauthorize)$/;
const RIVAL = /^claim_(increase|reauthorize|void|cancel)$/;
const REFUSED = /^settle_\w+_(declined|failed)$/;
const CHANGED = /^settle_(increase|reauthorize)_succeeded$/;

/** Walks through the commits of a payment. No change begins beside another one, or beside a release. Nor the reverse. */
function judgeClaims(transactionId: string, commits: readonly Commit[]): string[] {
  const open = new Map<string, string>();
  return commits.flatMap(({ transactionId: of, statement, operationId }) => {
    if (of !== transactionId) return [];
    if (REFUSED.test(statement) || CHANGED.test(statement)) open.delete(operationId);
    if (!RIVAL.test(statement)) return [];
    const [beside] = [...open.values()].filter((one) => CHANGE.test(statement) || CHANGE.test(one));
    open.set(operationId, statement);
    return beside === undefined ? [] : [`${statement} of ${operationId} came beside ${beside}`];
  });
}
