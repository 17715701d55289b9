import type { App } from '../../app.ts';
import type { BankScheme } from '../../connectors/requests.ts';
import { findCandidates } from '../payment-services/index.ts';
import { redirectMethods } from '../transactions/index.ts';
import { findApplePay, type LinkApplePay } from './apple-pay.ts';
import { findBankDebit } from './bank-debit.ts';
import { findGooglePay, type LinkGooglePay } from './google-pay.ts';
import { takesGiftCards } from './gift-cards.ts';
import type { PaymentLink } from './payment-link.ts';
import { findStoredCards, type StoredCard } from './stored-cards.ts';

/** The methods by which a buyer can pay a link. */
export type LinkMethods = {
  readonly card: boolean;
  /** Methods that the buyer approves on a provider's page. */
  readonly redirects: readonly string[];
  /** Stored cards of the link's buyer. Empty where no card is accepted. */
  readonly stored: readonly StoredCard[];
  readonly giftCards: boolean;
  /** Null where no service of the link is a merchant at Apple. */
  readonly applePay: LinkApplePay | null;
  /** Null where no service of the link receives its tokens. */
  readonly googlePay: LinkGooglePay | null;
  /** The scheme of a bank debit. Null where no service debits an account for the link. */
  readonly bank: BankScheme | null;
};

/** Finds the methods that the merchant account's services accept now for a link's currency, country, intent and instalments. */
export async function findLinkMethods(app: App, link: PaymentLink): Promise<LinkMethods> {
  const { merchantAccountId, currency, country, intent, installmentCount } = link;
  const accepts = async (method: string): Promise<boolean> => {
    // The page asks for the number of a card, and has no other means of a card.
    const means = method === 'card' ? 'raw_card_data' : null;
    const filter = { method, currency, country, intent, means, installmentCount } as const;
    return (await findCandidates(app, merchantAccountId, filter)).length > 0;
  };
  const names = redirectMethods(app.connectors);
  const [card, giftCards, stored, debit, applePay, googlePay, accepted] = await Promise.all([
    accepts('card'),
    takesGiftCards(app, link),
    findStoredCards(app, link),
    findBankDebit(app, link),
    findApplePay(app, link),
    findGooglePay(app, link),
    Promise.all(names.map(accepts)),
  ]);
  const redirects = names.filter((_, index) => accepted[index]);
  const bank = debit?.scheme ?? null;
  return { card, redirects, stored: card ? stored : [], giftCards, applePay, googlePay, bank };
}
