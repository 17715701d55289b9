import type { GiftEntry } from './gift-books.ts';
import { placeOf } from './harness.ts';
import { isCanceled } from './judge-money.ts';
import { refusalOf } from './judge-authentication.ts';
import type { Evidence, Violation } from './judge.ts';
import type { OperationRow, RedemptionRow, TransactionRow } from './state.ts';

/** Checks that redemptions equal the providers' books. A payment without success must keep no redeemed money. */
export function judgeGiftCards(evidence: Evidence): Violation[] {
  const { state, books } = evidence;
  const operations = new Map(state.operations.map((row) => [row.id, row]));
  const byKey = Map.groupBy(books.giftCards, ({ key }) => key);
  const strays = [...byKey.keys()].filter((key) => operations.get(key)?.redemption_id == null);
  const broken = [
    ...strays.map((key) => `a provider of gift cards has work under ${key}, which is no operation of ours`),
    ...state.operations
      .filter((row) => row.redemption_id !== null)
      .flatMap((row) => judgeOperation(row, byKey.get(row.id) ?? [], evidence)),
    ...state.redemptions.flatMap((row) =>
      judgeRedemption(row, evidence).map((what) => `redemption ${row.id}: ${what}`),
    ),
    ...state.transactions.flatMap((row) =>
      judgePayment(row, evidence).map((what) => `transaction ${row.id}: ${what}`),
    ),
  ];
  return broken.map((message) => ({ kind: 'gift cards', message }));
}

/** Checks an operation of a gift card by the same rules as those of the payment method. */
function judgeOperation(
  operation: OperationRow,
  entries: readonly GiftEntry[],
  { services, resolved }: Evidence,
): string[] {
  const { id, kind, status, amount } = operation;
  const service = services.get(operation.payment_service_id);
  const name = `${kind} ${id} of a gift card`;
  if (entries.length > 1) return [`${name} was done ${entries.length} times`];
  const [entry] = entries;
  const broken = [
    entry && service && entry.place !== placeOf(service) && `${name} was asked of ${entry.place}`,
    entry && entry.verb !== kind && `${name} was asked for as a ${entry.verb}`,
    entry && entry.amount !== amount && `${name} is of ${amount}, asked for ${entry.amount}`,
    status === 'succeeded' && entry?.result !== 'approved' && `${name} succeeded, the books do not say so`,
    (status === 'declined' || status === 'failed') &&
      entry?.result === 'approved' &&
      `${name} is ${status}, the books say approved`,
    status !== 'pending' &&
      !entry &&
      !resolved.has(id) &&
      operation.error_code !== NEVER_LEFT &&
      `${name} is ${status}, and the provider never saw the request`,
  ];
  return broken.flatMap((what) => (what ? [what] : []));
}

const NEVER_LEFT = 'service_network_error';

const ENDED = ['succeeded', 'failed', 'skipped', 'reversed'];

/** Returns the net amount that a provider has taken for a redemption. */
function takenFor({ id }: RedemptionRow, { books }: Evidence): number {
  const done = books.giftCards.filter(({ result }) => result === 'approved');
  const redeemed = new Set(done.flatMap(({ key, redemptionId }) => (key === id ? [redemptionId] : [])));
  return done
    .filter(({ redemptionId }) => redeemed.has(redemptionId))
    .reduce((sum, { verb, amount }) => (verb === 'redeem' ? sum + amount : sum - amount), 0);
}

function judgeRedemption(row: RedemptionRow, evidence: Evidence): string[] {
  const { status, amount } = row;
  const taken = takenFor(row, evidence);
  const kept = status === 'succeeded' || status === 'reversing' ? amount - row.refunded_amount : 0;
  const broken = [
    !ENDED.includes(status) && `is still ${status}`,
    taken !== kept && `says ${kept} is kept, really ${taken}`,
    row.refund_pending_amount !== 0 && 'still reserves',
    row.sealed_card !== null && 'keeps its card',
  ];
  return broken.flatMap((what) => (what ? [what] : []));
}

const IN_VAIN = /^authorization_(declined|failed|voided)$/;

function judgePayment(row: TransactionRow, evidence: Evidence): string[] {
  const { state, resolved } = evidence;
  const redemptions = state.redemptions.filter(({ transaction_id: id }) => id === row.id);
  const operations = state.operations.filter(({ transaction_id: id }) => id === row.id);
  const sum = redemptions.reduce((total, { amount }) => total + amount, 0);
  // The amount stays redeemed when a person has resolved that the reversal is impossible.
  const isKeptByHand = operations.some(
    ({ id, kind, status }) => kind === 'unredeem' && status === 'failed' && resolved.has(id),
  );
  const taken = redemptions.reduce((total, one) => total + takenFor(one, evidence), 0);
  const isOver = IN_VAIN.test(row.status);
  const isPaid = row.status === 'authorization_succeeded' || row.status === 'capture_succeeded';
  // The void of the rest may be told before the capture, and gives the gift cards back.
  const isVoidedFirst = operations.some(({ kind, origin }) => kind === 'void' && origin === 'provider');
  const broken = [
    isBeyondTheRest(row) &&
      `the method first authorised ${row.authorized_amount - row.increased_amount} beside ${row.gift_card_amount} of ${row.amount}`,
    sum !== row.gift_card_amount && `gift cards pay ${row.gift_card_amount}, each together ${sum}`,
    isOver && !isKeptByHand && taken > 0 && `is ${row.status}, and gift cards have paid ${taken}`,
    isPaid &&
      !isVoidedFirst &&
      redemptions.some((one) => one.amount > 0 && one.status !== 'succeeded') &&
      `is ${row.status} without all of its gift cards`,
    ...operations
      .filter(({ kind }) => kind === 'authorize')
      .flatMap((one) => judgeOrder(one, redemptions, evidence)),
  ];
  return broken.flatMap((what) => (what ? [what] : []));
}

/** Tells whether the payment method first authorised more than the gift cards leave. Increases come on top. */
const isBeyondTheRest = (row: TransactionRow): boolean =>
  row.gift_card_amount > 0 &&
  row.authorized_amount - row.increased_amount > row.amount - row.gift_card_amount;

/**
 * Checks that gift cards come before the payment method. A declined gift card ends the payment with the same result.
 */
function judgeOrder(
  authorisation: OperationRow,
  redemptions: readonly RedemptionRow[],
  evidence: Evidence,
): (string | false)[] {
  const { books, commits, state } = evidence;
  const entry = books.entries.find(({ key }) => key === authorisation.id);
  const redeemedAt = redemptions
    .filter(({ amount }) => amount > 0)
    .map(({ id }) =>
      commits.findIndex((one) => one.operationId === id && one.statement === 'settle_redeem_succeeded'),
    );
  const isFirst = entry && redeemedAt.some((at) => at < 0 || at >= entry.after);
  const { status, unsent, error_code: code, id } = authorisation;
  const refused = state.operations.find(
    (one) => one.kind === 'redeem' && redemptions.some((redemption) => redemption.id === one.id) && isNo(one),
  );
  const isEndedUnsent =
    redemptions.length > 0 &&
    unsent &&
    isNo(authorisation) &&
    !isCanceled(authorisation, state) &&
    code !== 'suspected_fraud' &&
    code !== 'unsupported_transaction' &&
    !refusalOf(authorisation, evidence);
  return [
    isFirst === true && `${id} was sent to a provider before its gift cards had paid`,
    isEndedUnsent &&
      (refused?.status !== status || refused.error_code !== code) &&
      `${id} is ${status} with ${code}, its gift card ${refused?.status ?? 'nothing'} with ${refused?.error_code ?? 'nothing'}`,
  ];
}

const isNo = ({ status }: OperationRow): boolean => status === 'declined' || status === 'failed';
