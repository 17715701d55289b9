import type { App } from '../../../app.ts';
import type { BankScheme } from '../../../connectors/interface/requests.ts';
import { BANK_CURRENCIES } from '../../payment-methods/index.ts';
import type { PaymentLink } from '../payment-link.ts';
import { findForeseen } from './foreseen.ts';

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
 * Finds the bank debit of a link at the first payment service that the payment may ask. Returns null without such a service. A link
 * that only authorises has none, because a debit has no authorisation before it. No gift card pays the part `left` of the amount.
 */
export async function findBankDebit(app: App, link: PaymentLink, left: number): Promise<LinkDebit | null> {
  const { currency, intent } = link;
  const scheme = bankSchemeOf(currency);
  if (scheme === null || intent !== 'capture') return null;
  const way = { method: 'bank', instrument: 'bank', left } as const;
  const [service] = await findForeseen(app, link, way, { method: 'bank', intent });
  return service ? { scheme, paymentServiceId: service.id } : null;
}
