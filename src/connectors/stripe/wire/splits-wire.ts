import type { Stripe } from 'stripe';
import {
  ok,
  refuse,
  sumOfKind,
  type CallContext,
  type CaptureRequest,
  type Impossible,
  type RefundRequest,
  type Result,
  type Split,
  type Splits,
} from '../../door.ts';
import { IMPOSSIBLE } from '../errors/impossible.ts';
import { toStripe } from '../model/amount.ts';

type Wire = Pick<
  Stripe.PaymentIntentCreateParams,
  'application_fee_amount' | 'transfer_data' | 'on_behalf_of'
>;

/**
 * Maps the shares of a payment to a transfer of the whole amount, less the fee of the platform. Refuses more than one recipient,
 * and a fee for another account than the platform's own.
 */
export function splitsToWire(
  splits: Splits | undefined,
  currency: string,
  { credentials }: Pick<CallContext, 'credentials'>,
): Result<Wire, Impossible> {
  if (!splits) return ok({});
  const [recipient, ...others] = splits.shares.filter(({ kind }) => kind === 'recipient');
  const destination = recipient?.account ?? null;
  // A call in the name of a connected account has no platform that could transfer.
  const isConnected = Boolean(credentials['stripe_account']);
  if (destination === null || others.length > 0 || isConnected || splits.shares.some(isFeeOfOthers))
    return refuse(IMPOSSIBLE.splits);
  const fee = feeOf(splits, currency);
  if (!fee.ok) return fee;
  return ok({
    ...fee.value,
    transfer_data: { destination },
    ...(credentials['on_behalf_of'] === 'true' && { on_behalf_of: destination }),
  });
}

const isFeeOfOthers = ({ kind, account }: Split): boolean => kind === 'platform_fee' && account !== null;

type Fee = { readonly application_fee_amount?: number };

/** Maps the fee in a payment or in a capture. Without a fee in the capture, Stripe would take that of the payment. */
export function feeOf(splits: Splits | undefined, currency: string): Result<Fee, Impossible> {
  if (!splits?.shares.some(({ kind }) => kind === 'platform_fee')) return ok({});
  const fee = toStripe({ amount: sumOfKind(splits, 'platform_fee'), currency });
  return fee === null ? refuse(IMPOSSIBLE.share) : ok({ application_fee_amount: fee.amount });
}

/**
 * Maps the fee in a capture. A refund divides the fee of all captures, so several captures must have the same proportion. Refuses
 * other parts, unless the capture is the only one.
 */
export function captureFeeOf(request: CaptureRequest): Result<Fee, Impossible> {
  const { splits, final, money } = request;
  const isOnly = final && splits?.isFirst === true;
  return !splits || splits.inProportion || isOnly
    ? feeOf(splits, money.currency)
    : refuse(IMPOSSIBLE.captureShares);
}

type RefundWire = Pick<Stripe.RefundCreateParams, 'reverse_transfer' | 'refund_application_fee'>;

/**
 * Maps the parts of a refund. Stripe itself reverses the transfer and the fee in proportion to the refund. Refuses other parts,
 * because later refunds would then leave other rests than ours. Captures without a fee have none to give back.
 */
export function refundSplitsToWire({
  splits,
  captures,
}: Pick<RefundRequest, 'splits' | 'captures'>): Result<RefundWire, Impossible> {
  if (!splits) return ok({});
  if (!splits.inProportion) return refuse(IMPOSSIBLE.refundShares);
  const hasFee = captures.some(({ shares = [] }) =>
    shares.some(({ kind, capturedAmount }) => kind === 'platform_fee' && capturedAmount > 0),
  );
  return ok({ reverse_transfer: true, ...(hasFee && { refund_application_fee: true }) });
}
