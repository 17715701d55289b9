import { refusedBefore, type Outcome, type Unknown, type RefundRequest } from '../../door.ts';
import type { Stripe } from 'stripe';
import { fromStripe, toStripe } from '../model/amount.ts';
import { listPage, refund as refundSchema, type Refund } from '../api/answers.ts';
import { LOOK_FIRST, refundFailureOf, refusalOf } from '../errors/errors.ts';
import { IMPOSSIBLE } from '../errors/impossible.ts';
import type { Api } from '../api/exchange.ts';
import { PAGES_MAX } from './find-authorization.ts';
import { UNREADABLE } from './intent-outcome.ts';
import { OPERATION } from '../model/names.ts';
import { refundSplitsToWire } from '../wire/splits-wire.ts';
import { causeOf, unknown } from '../api/read-payment.ts';

const REFUNDS = '/v1/refunds';

/** Refunds a part or all of the captured money. Stripe refunds the payment, so the single captures have no part. */
export async function refund(api: Api, request: RefundRequest): Promise<Outcome> {
  const { key, reference, money } = request;
  const amount = toStripe(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const shares = refundSplitsToWire(request);
  if (!shares.ok) return refusedBefore(shares.refusals[0]);
  const body = { ...refundToWire(request, amount.amount), ...shares.value };
  const answer = await api.post(REFUNDS, body, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'answered') {
    const made = refundSchema.safeParse(answer.body).data;
    return made ? refundOutcome(made) : UNREADABLE;
  }
  if (!LOOK_FIRST.has(answer.error.code ?? '')) return refusalOf(answer.error, null);
  // A refund may have happened before Stripe refused a request.
  const found = await findRefund(api, reference, key);
  if (found === null) return refusalOf(answer.error, null);
  return 'kind' in found ? found : refundOutcome(found);
}

export const refundToWire = (
  { key, reference }: Pick<RefundRequest, 'key' | 'reference'>,
  amount: number,
): Stripe.RefundCreateParams => ({
  payment_intent: reference,
  amount,
  metadata: { paygraph_operation: key, paygraph_verb: 'refund' },
});

/** Returns the outcome of a refund by its status. */
export function refundOutcome(made: Refund): Outcome {
  const { id: reference, status, failure_reason: reason = null } = made;
  const words = { rawResponseCode: reason ?? null, rawResponseDescription: null };
  switch (status) {
    case 'succeeded': {
      const money = fromStripe(made.amount, made.currency);
      return money === null ? UNREADABLE : { kind: 'succeeded', reference, money, ...words };
    }
    case 'pending':
    case 'requires_action':
      return { kind: 'accepted', reference, ...words };
    case 'failed':
      return { kind: 'failed', reference, errorCode: refundFailureOf(made), ...words };
    case 'canceled':
      return { kind: 'failed', reference, errorCode: 'canceled', ...words };
    default:
      return UNREADABLE;
  }
}

/** Finds the refund of our key among those of the payment. Null if the list has none. */
export async function findRefund(api: Api, payment: string, key: string): Promise<Refund | Unknown | null> {
  const isSought = ({ metadata }: Refund): boolean => metadata[OPERATION] === key;
  const listed = await listRefunds(api, payment, isSought);
  return 'kind' in listed ? listed : (listed.refunds.find(isSought) ?? null);
}

type Listed = {
  readonly refunds: readonly Refund[];
  /** False if the payment has more refunds. */
  readonly isWhole: boolean;
};

/** Lists the refunds of a payment, at most until one is the sought one. A payment that Stripe does not have has none. */
export async function listRefunds(
  api: Api,
  payment: string,
  isSought: (refund: Refund) => boolean = () => false,
): Promise<Listed | Unknown> {
  const refunds: Refund[] = [];
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const after = refunds.at(-1)?.id ?? null;
    const answer = await api.get(REFUNDS, {
      ...{ payment_intent: payment, limit: 100 },
      ...(after !== null && { starting_after: after }),
    });
    if (answer.kind === 'refused' && answer.error.code === 'resource_missing')
      return { refunds, isWhole: true };
    if (answer.kind !== 'answered') return unknown(causeOf(answer)).unknown;
    const page = listPage.safeParse(answer.body).data;
    if (!page) return unknown('unreadable').unknown;
    const read = page.data.flatMap((item) => refundSchema.safeParse(item).data ?? []);
    refunds.push(...read);
    if (!page.has_more || read.length === 0 || read.some(isSought))
      return { refunds, isWhole: !page.has_more && read.length === page.data.length };
  }
  return { refunds, isWhole: false };
}
