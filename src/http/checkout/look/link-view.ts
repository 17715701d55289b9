import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { findMerchantAccounts } from '../../../modules/accounts/index.ts';
import type { PaymentLink } from '../../../modules/payment-links/index.ts';
import { chooseLanguage } from './language.ts';
import { methodNamer } from './method-names.ts';
import type { View } from './view.ts';

/** Gathers the data of every page about a link. The language is the link's, or else the browser's. */
export async function viewOfLink(app: App, request: FastifyRequest, link: PaymentLink): Promise<View> {
  const ids = [link.merchantAccountId];
  const [account] = await findMerchantAccounts(app, { reachableMerchantAccountIds: ids }, ids);
  const merchant = link.merchantName ?? account?.displayName ?? link.merchantAccountId;
  return viewFor(app, request, { link, merchant });
}

/** Returns the data of a page about a link whose merchant's name is known. */
export const viewFor = (
  app: App,
  request: FastifyRequest,
  { link, merchant }: Pick<View, 'link' | 'merchant'>,
): View => ({
  ...{ link, merchant },
  language: chooseLanguage(link.locale, request.headers['accept-language']),
  sandbox: !app.config.production,
  nameOf: methodNamer(app.connectors),
});
