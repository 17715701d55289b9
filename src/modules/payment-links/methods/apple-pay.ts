import type { App } from '../../../app.ts';
import {
  requestApplePaySession,
  type ApplePaySession,
} from '../../../connectors/wallets/apple-pay-session.ts';
import {
  applePayMerchant,
  isApplePayField,
  type ApplePayMerchant,
} from '../../../connectors/wallets/apple-pay.ts';
import { connectionOf } from '../../payment-services/index.ts';
import type { PaymentLink } from '../payment-link.ts';
import { findForeseen } from './foreseen.ts';

/** Apple Pay for a link: the country of the merchant, and the payment service whose provider can read the token. */
export type LinkApplePay = { readonly countryCode: string; readonly paymentServiceId: string };

/** The result of a request for a session. `not_offered`: the link has no Apple Pay. */
export type LinkApplePaySession = ApplePaySession | { readonly kind: 'not_offered' };

/**
 * Finds Apple Pay for a link at the first payment service with its fields that the payment may ask. Only the provider of that service
 * can read the token. Null without such a service. No gift card pays the part `left` of the amount.
 *
 * A link that stores its payment method has none: the routing of stored tokens chooses among all services.
 */
export async function findApplePay(app: App, link: PaymentLink, left: number): Promise<LinkApplePay | null> {
  const found = await findMerchant(app, link, left);
  return found && { countryCode: found.countryCode, paymentServiceId: found.paymentServiceId };
}

/**
 * Asks Apple for a session with the certificate of the service that findApplePay chooses. Moves no money and commits nothing.
 *
 * `validationUrl`: the address from the browser, unchecked. `displayName`: the merchant on the sheet.
 */
export async function openApplePaySession(
  app: App,
  link: PaymentLink,
  { validationUrl, displayName, left }: SessionRequest,
): Promise<LinkApplePaySession> {
  const merchant = await findMerchant(app, link, left);
  if (!merchant) return { kind: 'not_offered' };
  const opened = await requestApplePaySession(app.http, merchant, {
    ...{ validationUrl, displayName, host: new URL(app.publicUrl).hostname },
    deadlineMs: app.config.PAYGRAPH_PROVIDER_DEADLINE_MS ?? DEADLINE_MS,
  });
  if (opened.kind !== 'opened') {
    const about = { paymentLinkId: link.id, paymentServiceId: merchant.paymentServiceId };
    app.log.warn({ ...about, ...opened }, 'Apple opened no session of Apple Pay.');
  }
  return opened;
}

type SessionRequest = {
  readonly validationUrl: string;
  readonly displayName: string;
  /** The part of the amount that no gift card pays. */
  readonly left: number;
};

/** The browser closes the sheet after 30 seconds without a session. */
const DEADLINE_MS = 10_000;

/** The answer holds the private key: never store, log or return it. */
async function findMerchant(
  app: App,
  link: PaymentLink,
  left: number,
): Promise<(ApplePayMerchant & Pick<LinkApplePay, 'paymentServiceId'>) | null> {
  const { merchantAccountId, intent, store } = link;
  if (store) return null;
  const way = { method: 'applepay', instrument: 'applepay', left } as const;
  for (const row of await findForeseen(app, link, way, { method: 'card', means: 'apple_pay', intent })) {
    // Other services keep their secrets sealed.
    if (!row.fields.some(({ key }) => isApplePayField(key))) continue;
    const { credentials } = await connectionOf(app, merchantAccountId, row);
    const merchant = applePayMerchant(credentials, app.clock.now());
    if (merchant) return { ...merchant, paymentServiceId: row.id };
  }
  return null;
}
