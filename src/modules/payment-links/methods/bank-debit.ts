import type { App } from '../../../app.ts';
import type { BankScheme } from '../../../connectors/interface/requests.ts';
import { BANK_CURRENCIES } from '../../payment-methods/index.ts';
import { findCandidates } from '../../payment-services/index.ts';
import type { PaymentLink } from '../payment-link.ts';

/** The bank debit that can pay a link. */
export type LinkDebit = {
  readonly scheme: BankScheme;
  /** The payment service that makes the debit. */
  readonly paymentServiceId: string;
};

/** Returns the scheme that debits accounts in a currency, or null. */
export const bankSchemeOf = (currency: string): BankScheme | null =>
  SCHEMES.find((scheme) => BANK_CURRENCIES[scheme] === currency) ?? null;

const SCHEMES = ['ach', 'sepa', 'bacs'] as const satisfies readonly BankScheme[];

/**
 * Finds the bank debit of a link at the first accepting payment service, by position, then id. Returns null without
 * such a service. A link that only authorises has none, because a debit has no authorisation before it.
 */
export async function findBankDebit(
  app: App,
  { merchantAccountId, currency, country, intent, installmentCount, splits }: PaymentLink,
): Promise<LinkDebit | null> {
  const scheme = bankSchemeOf(currency);
  if (scheme === null || intent !== 'capture') return null;
  const filter = { method: 'bank', currency, country, intent, installmentCount, splits: splits !== null };
  const [service] = await findCandidates(app, merchantAccountId, filter);
  return service ? { scheme, paymentServiceId: service.id } : null;
}
