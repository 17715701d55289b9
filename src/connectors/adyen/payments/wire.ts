import {
  ok,
  refuse,
  type Impossible,
  type Result,
  type CancelRequest,
  type CaptureRequest,
  type FollowUpRequest,
  type IncreaseRequest,
  type Split,
  type Splits,
} from '../../door.ts';
import { amountToWire, unitsToWire } from '../amount.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { rowOf } from '../methods.ts';
import { lineItemsOfChange } from './line-items-wire.ts';
import { nativeDetailsOf } from './native.ts';
import { referenceOf, RELEASE } from '../references.ts';
import type {
  AdyenAmountUpdate,
  AdyenCancel,
  AdyenCapture,
  AdyenDetails,
  AdyenPayment,
  AdyenRefund,
  AdyenReversal,
  AdyenStandaloneCancel,
} from '../request-shapes.ts';

/** A request to Adyen: the path below the version, and the body. */
export type Posted<Body extends object> = { readonly path: string; readonly body: Body };

/** A capture or a refund. Both may have the order of the payment, and shares. */
type Change = FollowUpRequest & Pick<CaptureRequest, 'order' | 'splits'>;

/** The payment service of a capture or a refund. */
export type Service = { readonly merchantAccount: string; readonly definitionId: string };

/** Maps our capture. Adyen has no word for the last capture, so a release follows. */
export const captureToWire = (request: Change, service: Service): Result<Posted<AdyenCapture>, Impossible> =>
  withLines(request, service, 'capture', 'captures');

/** Maps our refund. Adyen refunds the payment, and assigns the refund to its captures by itself. */
export const refundToWire = (request: Change, service: Service): Result<Posted<AdyenRefund>, Impossible> =>
  withLines(request, service, 'refund', 'refunds');

/** Maps our increase. Adyen takes the new total. */
export const increaseToWire = (
  { money, total, ...request }: IncreaseRequest,
  merchantAccount: string,
): Result<Posted<AdyenAmountUpdate>, Impossible> =>
  amountToWire(money) === null
    ? refuse(IMPOSSIBLE.amount)
    : amountChange('increase', 'amountUpdates', { ...request, money: total }, merchantAccount);

function amountChange(
  verb: 'increase' | 'capture' | 'refund',
  path: 'amountUpdates' | 'captures' | 'refunds',
  { key, reference, money, splits }: Change,
  merchantAccount: string,
): Result<Posted<AdyenAmountUpdate & AdyenCapture & AdyenRefund>, Impossible> {
  const amount = amountToWire(money);
  if (amount === null) return refuse(IMPOSSIBLE.amount);
  const shares = splitsToWire({ key, currency: amount.currency, splits });
  if (!shares.ok) return shares;
  return ok({
    path: pathOf(reference, path),
    body: { merchantAccount, amount, reference: referenceOf(verb, key), ...shares.value },
  });
}

/** Maps a change of the money, with the lines that some methods demand. */
function withLines(
  request: Change,
  { merchantAccount, definitionId }: Service,
  verb: 'capture' | 'refund',
  path: 'captures' | 'refunds',
): Result<Posted<AdyenCapture & AdyenRefund>, Impossible> {
  const posted = amountChange(verb, path, request, merchantAccount);
  const lineItems = lineItemsOfChange(rowOf(definitionId), request);
  if (!posted.ok || lineItems === null) return posted;
  return ok({ path: posted.value.path, body: { ...posted.value.body, lineItems } });
}

/** Maps our void, which releases the part that is not captured. */
export const voidToWire = (
  { key, reference }: FollowUpRequest,
  merchantAccount: string,
): Posted<AdyenCancel> => ({
  path: pathOf(reference, 'cancels'),
  body: { merchantAccount, reference: referenceOf('void', key) },
});

/** Maps the release of the rest after our final capture. Its reference has the key of the capture. */
export const releaseToWire = (
  { key, reference }: FollowUpRequest,
  merchantAccount: string,
): Posted<AdyenCancel> => ({
  path: pathOf(reference, 'cancels'),
  body: { merchantAccount, reference: referenceOf(RELEASE, key) },
});

/**
 * Maps our cancel. With an id of Adyen, the payment is released or refunded, whether its capture has begun or not. Without one,
 * Adyen finds the authorisation by our reference.
 */
export function cancelToWire(
  { key, authorizationKey, reference }: CancelRequest,
  merchantAccount: string,
): Posted<AdyenReversal | AdyenStandaloneCancel> {
  const body = { merchantAccount, reference: referenceOf('cancel', key) };
  return reference === null || reference === authorizationKey
    ? { path: '/cancels', body: { ...body, paymentReference: authorizationKey } }
    : { path: pathOf(reference, 'reversals'), body };
}

/**
 * The results of a buyer's step.
 *
 * - `isNative`: a client of the buyer gave the results, not a page.
 * - `result`: a text that only equal results have.
 */
export type PostedDetails = Posted<AdyenDetails> & { readonly isNative: boolean; readonly result: string };

/** Maps the results of the buyer's step. Null without the parameters of Adyen's page, and without those of a native client. */
export function detailsToWire(returned: Readonly<Record<string, string>>): PostedDetails | null {
  const path = '/payments/details';
  const { redirectResult } = returned;
  if (redirectResult)
    return { path, body: { details: { redirectResult } }, isNative: false, result: redirectResult };
  const body = nativeDetailsOf(returned);
  return body && { path, body, isNative: true, result: JSON.stringify(body) };
}

/** A reference may be our own key, while Adyen has named no id. It is escaped, so that it stays one part of the path. */
const pathOf = (reference: string, change: string): string =>
  `/payments/${encodeURIComponent(reference)}/${change}`;

type Item = NonNullable<AdyenPayment['splits']>[number];

/** An operation with its key at Adyen and its money. */
type Shared = { readonly key: string; readonly currency: string; readonly splits: Splits | undefined };

/**
 * Maps the shares of a payment, a capture or a refund. A recipient is a balance account, and the fee is the commission, which
 * Adyen books to the liable account. Refuses a fee with an account.
 */
export function splitsToWire({
  key,
  currency,
  splits,
}: Shared): Result<{ readonly splits?: readonly Item[] }, Impossible> {
  if (!splits) return ok({});
  const items: Item[] = [];
  for (const [index, share] of splits.shares.entries()) {
    if (share.amount === 0) continue;
    const value = unitsToWire({ amount: share.amount, currency });
    if (value === null) return refuse(IMPOSSIBLE.share);
    if (share.kind === 'platform_fee' && share.account !== null) return refuse(IMPOSSIBLE.fee);
    items.push({
      amount: { value },
      ...receiverOf(share),
      reference: share.reference ?? `${key}-${index + 1}`,
    });
  }
  return ok({ splits: items });
}

const receiverOf = ({ kind, account }: Split): Pick<Item, 'type' | 'account'> =>
  kind === 'platform_fee' || account === null ? { type: 'Commission' } : { type: 'BalanceAccount', account };
