import type { App } from '../../../app.ts';
import type { GooglePayReceiver } from '../../../connectors/wallets/google-pay.ts';
import { findCandidates, findProvider } from '../../payment-services/index.ts';
import type { PaymentLink } from '../payment-link.ts';

/** Google Pay for a link: the receiver of the token, and the payment service that can read the token. */
export type LinkGooglePay = GooglePayReceiver & { readonly paymentServiceId: string };

/**
 * Finds Google Pay for a link at the first accepting payment service with its fields, by position, then id. Only that
 * service can read the token. Null without such a service.
 *
 * A link that stores its payment method has none: the routing of stored tokens chooses among all services.
 */
export async function findGooglePay(
  app: App,
  { merchantAccountId, currency, country, intent, installmentCount, store, splits }: PaymentLink,
): Promise<LinkGooglePay | null> {
  if (store) return null;
  const filter = {
    method: 'card',
    means: 'google_pay',
    currency,
    country,
    intent,
    installmentCount,
    splits: splits !== null,
  } as const;
  for (const { id, definitionId, fields } of await findCandidates(app, merchantAccountId, filter)) {
    const known = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
    const receiver = findProvider(app, definitionId)?.connector.googlePay?.(known) ?? null;
    if (receiver) return { ...receiver, paymentServiceId: id };
  }
  return null;
}
