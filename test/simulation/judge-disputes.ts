import type { Evidence, Violation } from './judge.ts';
import type { Quarrel } from './quarrels.ts';
import type { DisputeRow, FeedRow, ResponseRow } from './state.ts';

/**
 * Checks that each dispute ends as in the provider's books: position, money, ledger, events and responses. No refund is
 * claimed while a dispute holds refunds.
 */
export function judgeDisputes(evidence: Evidence): Violation[] {
  const { state, quarrels, commits } = evidence;
  const byReference = new Map(state.disputes.map((row) => [row.provider_reference, row]));
  const broken = [
    ...quarrels.flatMap((one) => judgeQuarrel(one, byReference.get(one.reference), evidence)),
    ...state.disputes.flatMap((row) => judgeEvents(row, state.feed)),
    ...state.transactions.flatMap(({ id, dispute_lost_amount: says }) => judgeLoss(id, says, evidence)),
    ...state.responses.flatMap((row) => judgeResponse(row, evidence)),
    ...commits
      .filter(({ statement }) => statement === 'refund_in_dispute')
      .map(({ operationId }) => `the refund ${operationId} was claimed during a dispute`),
  ];
  return broken.map((message) => ({ kind: 'disputes', message }));
}

function judgeQuarrel(one: Quarrel, row: DisputeRow | undefined, { state }: Evidence): string[] {
  if (!row) return [`the dispute ${one.reference} is not known here`];
  // A response that the provider took without our knowledge. Only a later webhook can tell its end.
  const isUncertain = state.responses.some(
    ({ dispute_id: of, status }) => of === row.id && status === 'pending',
  );
  const fits =
    row.stage === one.stage &&
    row.status === one.status &&
    row.amount === one.amount &&
    row.lost_amount === one.lost;
  return fits || isUncertain
    ? []
    : [
        `the dispute ${one.reference} is ${describe(row)}, really ${describe({ ...one, lost_amount: one.lost })}`,
      ];
}

const describe = ({
  stage,
  status,
  lost_amount: lost,
}: Pick<DisputeRow, 'stage' | 'status' | 'lost_amount'>) => `${stage} ${status} with a loss of ${lost}`;

/** Checks that a dispute has one first event, and that its last event tells the record. */
function judgeEvents(row: DisputeRow, feed: readonly FeedRow[]): string[] {
  const mine = feed.filter(({ target_id: id }) => id === row.id);
  const last = mine.at(-1);
  const target = last && (JSON.parse(last.payload) as { readonly target: DisputeRow }).target;
  const created = mine.filter(({ name }) => name === 'dispute.created');
  const broken = [
    (created.length !== 1 || mine[0]?.name !== 'dispute.created') &&
      `is told as ${mine.map(({ name }) => name).join(', ')}`,
    target && describe(target) !== describe(row) && `is ${describe(row)}, last told ${describe(target)}`,
  ];
  return broken.flatMap((what) => (what ? [`the dispute ${row.id} ${what}`] : []));
}

/** Checks that the losses of a payment are the sum of its disputes, and of its entries in the ledger. */
function judgeLoss(id: string, says: number, { state }: Evidence): string[] {
  const disputes = state.disputes.filter(({ transaction_id: of }) => of === id);
  const lost = disputes.reduce((sum, row) => sum + row.lost_amount, 0);
  const booked = state.ledger
    .filter(({ transaction_id: of }) => of === id)
    .reduce((sum, { kind, amount }) => sum + (SIGNS[kind] ?? 0) * amount, 0);
  return says === lost && booked === lost
    ? []
    : [`transaction ${id} says lost ${says}, its ledger ${booked}, its disputes ${lost}`];
}

const SIGNS: Readonly<Record<string, number>> = { dispute_loss: 1, dispute_loss_reversal: -1 };

/** Checks that a response succeeded or failed as the provider answered under its key. */
function judgeResponse(
  { id, dispute_id: of, status, provider_key: key }: ResponseRow,
  { quarrels, state }: Evidence,
): string[] {
  const reference = state.disputes.find((row) => row.id === of)?.provider_reference;
  const answer = quarrels.find((one) => one.reference === reference)?.answered.get(key ?? id)?.result;
  const fits = status === 'pending' || answer === (status === 'succeeded' ? 'done' : 'refused');
  return fits ? [] : [`the response ${id} is ${status}, the provider answered ${answer ?? 'nothing'}`];
}
