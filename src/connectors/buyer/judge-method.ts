import { toProviderUnits, type AmountForms } from '../codes/amounts.ts';
import type { Impossible } from '../codes/impossible.ts';
import type { AuthorizeRequest } from '../interface/requests.ts';
import { missingFor, type Judge, type PaymentNeed } from './needs.ts';

/** The limits of a payment method that the buyer approves or pays elsewhere. */
export type MethodLimits = {
  /** The decimals of the method itself, where they differ. An amount that the method lacks is refused. */
  readonly amounts: AmountForms;
  readonly needs: readonly PaymentNeed[];
};

type Payment = Pick<AuthorizeRequest, 'money' | 'isRepeat' | 'buyer' | 'order'>;

/**
 * Returns the refusal of a payment that a method cannot take. Null for a payment that the provider may get.
 *
 * A repeat is not asked for data: the first request had them, and the provider may compare both.
 */
export function impossibleBy(
  { amounts, needs }: MethodLimits,
  { money, isRepeat, buyer, order }: Payment,
  judge: Judge,
): Impossible | null {
  if (toProviderUnits(money, amounts) === null) return AMOUNT;
  return isRepeat ? null : missingFor(needs, { buyer, order }, judge);
}

const AMOUNT: Impossible = {
  errorCode: 'invalid_amount',
  sentence:
    'The payment method cannot take this amount in this currency. Give an amount without the decimals that the method lacks.',
};
