import {
  ok,
  refuse,
  sumOfKind,
  type AuthorizeRequest,
  type Impossible,
  type Result,
  type Splits,
} from '../../door.ts';
import { partToWire } from '../amount.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import type { PayPalUnit } from '../request-shapes.ts';

type Payee = NonNullable<PayPalUnit['payee']>;
type Instruction = NonNullable<PayPalUnit['payment_instruction']>;

/** The part of an order about shares. */
export type SharesOnWire = Pick<PayPalUnit, 'payee' | 'payment_instruction'>;

/**
 * Maps the shares of a payment. One recipient gets the order, less the fee of the platform. The fee goes along with the request that
 * moves the money. Refuses more recipients, and more than one fee.
 */
export function splitsToWire({
  splits,
  capture,
  money: { currency },
}: Pick<AuthorizeRequest, 'splits' | 'capture' | 'money'>): Result<SharesOnWire, Impossible> {
  if (!splits) return ok({});
  const [recipient, ...others] = splits.shares.filter(({ kind }) => kind === 'recipient');
  const account = recipient?.account ?? null;
  if (account === null || others.length > 0) return refuse(IMPOSSIBLE.splits);
  const fee = feeToWire(splits, currency);
  return fee.ok ? ok({ payee: payeeOf(account), ...(capture && fee.value) }) : fee;
}

/** The part of a capture or a refund about the fee. */
export type FeeOnWire = { readonly payment_instruction?: Instruction };

/** Maps the fee in a payment, in a capture, or in a refund. Nothing without a fee. */
export function feeToWire(
  splits: Pick<Splits, 'shares'> | undefined,
  currency: string,
): Result<FeeOnWire, Impossible> {
  const [share, ...others] = splits?.shares.filter(({ kind }) => kind === 'platform_fee') ?? [];
  if (others.length > 0) return refuse(IMPOSSIBLE.splits);
  if (!splits || !share || share.amount === 0) return ok({});
  const amount = partToWire({ amount: sumOfKind(splits, 'platform_fee'), currency });
  if (amount === null) return refuse(IMPOSSIBLE.share);
  const fee = { amount, ...(share.account !== null && { payee: payeeOf(share.account) }) };
  return ok({ payment_instruction: { platform_fees: [fee] } });
}

/** An account is named by its id, or by its e-mail address. */
const payeeOf = (account: string): Payee =>
  account.includes('@') ? { email_address: account } : { merchant_id: account };
