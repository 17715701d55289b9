import type { Credentials } from '../door.ts';

/** A merchant account at Braintree, which has one currency. */
export type MerchantAccount = { readonly currency: string; readonly id: string };

/** Reads the field `merchant_accounts`: a currency and an id on each line. Null for another text. */
export function merchantAccountsIn({
  merchant_accounts: field = '',
}: Credentials): readonly MerchantAccount[] | null {
  const lines = field
    .split(/[\r\n,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const accounts = lines.flatMap((line) => {
    const [, currency, id] = LINE.exec(line) ?? [];
    return currency !== undefined && id !== undefined ? [{ currency, id }] : [];
  });
  const isWhole = accounts.length === lines.length && accounts.length > 0;
  const areDifferent = new Set(accounts.map(({ currency }) => currency)).size === accounts.length;
  return isWhole && areDifferent ? accounts : null;
}

const LINE = /^([A-Z]{3})[ =:]+(\S{1,100})$/;

/**
 * Returns the merchant account of a currency. Null without one. Braintree would take an amount without its currency for money of the
 * default merchant account.
 */
export const merchantAccountOf = (credentials: Credentials, currency: string): string | null =>
  merchantAccountsIn(credentials)?.find((account) => account.currency === currency)?.id ?? null;
