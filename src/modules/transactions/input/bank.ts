import type { BankScheme } from '../../../connectors/interface/requests.ts';
import { BANK_CURRENCIES } from '../../payment-methods/index.ts';

type Issue = { readonly path: readonly string[]; readonly message: string };

export const SERVICE_NEEDED =
  'Must be given for a bank payment: the id of the payment service that debits the account.';

/** Refuses a bank account without a payment service or in another currency. */
export function refuseBank({
  currency,
  paymentMethod,
  paymentServiceId,
}: {
  readonly currency: string;
  readonly paymentMethod?: { readonly bank?: { readonly scheme: BankScheme } | null } | null | undefined;
  readonly paymentServiceId?: string | null | undefined;
}): readonly Issue[] {
  const bank = paymentMethod?.bank;
  if (!bank) return [];
  const expected = BANK_CURRENCIES[bank.scheme];
  return [
    ...(paymentServiceId == null ? [{ path: ['paymentServiceId'], message: SERVICE_NEEDED }] : []),
    ...(currency === expected
      ? []
      : [{ path: ['currency'], message: `A ${bank.scheme.toUpperCase()} account pays in ${expected}.` }]),
  ];
}
