import { refusedBefore, type AuthorizeRequest, type CallContext, type Outcome } from '../../door.ts';
import { amountToWire } from '../amount.ts';
import { changeAnswers, type Transaction } from '../answers.ts';
import { isUsed, refusalOf } from '../errors.ts';
import { ARRIVED, parse, UNDECIDED, UNREADABLE, type Answer, type Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { merchantAccountOf } from '../merchant-accounts.ts';
import { namesIn } from '../names.ts';
import { meansOf } from './means.ts';
import { authorizationOutcome } from './payment-outcome.ts';
import { paymentToWire } from './payment-wire.ts';
import { findTransaction, paymentAmong, readTransaction, searchTransactions } from './read-transaction.ts';
import { duplicatedBy, mayRepeat } from './status.ts';

/**
 * Authorises a payment, or sells at once. Braintree keeps no keys, so a repeat searches the transaction first. The core repeats a
 * payment only after the time in which the search surely shows the transaction.
 */
export async function authorize(api: Api, context: CallContext, request: AuthorizeRequest): Promise<Outcome> {
  const { key, money, capture, isRepeat } = request;
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  if (lacksEci(request)) return refusedBefore(IMPOSSIBLE.eci);
  const merchantAccountId = merchantAccountOf(context.credentials, money.currency);
  if (merchantAccountId === null) return refusedBefore(IMPOSSIBLE.currency);
  const earlier = isRepeat ? await findTransaction(api, key) : null;
  if (earlier !== null)
    return 'kind' in earlier
      ? { ...earlier, sent: false }
      : authorizationOutcome(earlier, { isLookUp: true });
  const means = await meansOf(api, request);
  if ('kind' in means) return means;
  const name = capture ? 'chargeCreditCard' : 'authorizeCreditCard';
  const answer = await api.change(name, paymentToWire(request, { ...means, amount, merchantAccountId }), key);
  if (answer.kind !== 'answered') return withoutTransaction(answer, isRepeat);
  const made = parse(changeAnswers[name], answer.body);
  return made ? afterPayment(api, request, made) : UNREADABLE;
}

/** True for a proof of an authentication that Braintree would not take. The merchant believes that the issuer bears the fraud. */
const lacksEci = ({ threeDSecure }: AuthorizeRequest): boolean =>
  threeDSecure !== null && threeDSecure.eci === null && threeDSecure.cavv !== null;

/** An earlier request of this key may have used the name for one payment. The search may not show that request yet. */
function withoutTransaction(answer: Exclude<Answer, { kind: 'answered' }>, isRepeat: boolean): Outcome {
  if (answer.kind === 'unknown') return answer.unknown;
  return isRepeat && isUsed(answer.error) ? UNDECIDED : refusalOf(answer.error);
}

/**
 * Returns the outcome of a made transaction. Braintree refuses a repetition of a payment within 30 seconds, by the amount, the card and
 * the order id. The transaction that it repeats is then the one. A processor may refuse a repetition, too.
 */
async function afterPayment(
  api: Api,
  request: Pick<AuthorizeRequest, 'key' | 'isRepeat'>,
  made: Transaction,
): Promise<Outcome> {
  const duplicated = duplicatedBy(made);
  if (duplicated === null) return authorizationOutcome(made, { isLookUp: false });
  if (mayRepeat(made)) return afterRepetition(api, request, made);
  if (duplicated.id === null) return ARRIVED;
  const original = await readTransaction(api, duplicated.id);
  if (original === null) return ARRIVED;
  if ('kind' in original) return { ...original, arrived: true };
  return namesIn(original.orderId).key === request.key
    ? authorizationOutcome(original, { isLookUp: true })
    : authorizationOutcome(made, { isLookUp: false });
}

/**
 * Returns the outcome of a transaction that its processor refused by an earlier payment. A first request has none of its key before
 * it, unless the search shows one.
 */
async function afterRepetition(
  api: Api,
  { key, isRepeat }: Pick<AuthorizeRequest, 'key' | 'isRepeat'>,
  made: Transaction,
): Promise<Outcome> {
  const found = await searchTransactions(api, key);
  if ('kind' in found) return ARRIVED;
  const earlier = paymentAmong(found);
  if (earlier !== null && 'kind' in earlier) return ARRIVED;
  if (earlier !== null) return authorizationOutcome(earlier, { isLookUp: true });
  return isRepeat ? ARRIVED : authorizationOutcome(made, { isLookUp: false });
}
