import type { App } from '../../../app.ts';
import type { GooglePayReceiver } from '../../../connectors/wallets/google-pay.ts';
import { findProvider } from '../../payment-services/index.ts';
import type { PaymentLink } from '../payment-link.ts';
import { findForeseen } from './foreseen.ts';

/** Google Pay for a link: the receiver of the token, and the payment service that can read the token. */
export type LinkGooglePay = GooglePayReceiver & { readonly paymentServiceId: string };

/**
 * Finds Google Pay for a link at the first payment service with its fields that the payment may ask. Only that service can read the
 * token. Null without such a service. No gift card pays the part `left` of the amount.
 *
 * A link that stores its payment method has none: the routing of stored tokens chooses among all services.
 */
export async function findGooglePay(
  app: App,
  link: PaymentLink,
  left: number,
): Promise<LinkGooglePay | null> {
  if (link.store) return null;
  const way = { method: 'googlepay', instrument: 'googlepay', left } as const;
  const filter = { method: 'card', means: 'google_pay', intent: link.intent } as const;
  for (const { id, definitionId, fields } of await findForeseen(app, link, way, filter)) {
    const known = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
    const receiver = findProvider(app, definitionId)?.connector.googlePay?.(known) ?? null;
    if (receiver) return { ...receiver, paymentServiceId: id };
  }
  return null;
}
