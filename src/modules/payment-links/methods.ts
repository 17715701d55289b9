import type { App } from '../../app.ts';
import { findCandidates } from '../payment-services/index.ts';
import { redirectMethods } from '../transactions/index.ts';
import type { PaymentLink } from './payment-link.ts';

/** What a buyer can pay a link with: a card, and the methods that are approved at a provider's page. */
export type LinkMethods = { readonly card: boolean; readonly redirects: readonly string[] };

/** The methods that the merchant account's services accept for a link's currency and country, at this moment. */
export async function findLinkMethods(
  app: App,
  { merchantAccountId, currency, country }: PaymentLink,
): Promise<LinkMethods> {
  const accepts = async (method: string): Promise<boolean> =>
    (await findCandidates(app, merchantAccountId, { method, currency, country })).length > 0;
  const redirects = redirectMethods(app.connectors);
  const [card = false, ...accepted] = await Promise.all(['card', ...redirects].map(accepts));
  return { card, redirects: redirects.filter((_, index) => accepted[index]) };
}
