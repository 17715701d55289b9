import { z } from 'zod';
import type { App } from '../../app.ts';
import { cssColor } from '../../platform/input/color.ts';
import { isUuid } from '../../platform/ids.ts';
import { metadata } from '../../platform/input/metadata.ts';
import { oncePer } from '../../platform/database/once-per.ts';
import { text } from '../../platform/input/text.ts';
import { amount, country, currency, optional, webAddress, wholeNumber } from '../../platform/input/values.ts';
import { buyer, shippingDetails } from '../payment-methods/index.ts';
import {
  cartItems,
  connectionOptions,
  refuseBetween,
  refuseSplits,
  splits,
  statementDescriptor,
  toCartItem,
} from '../transactions/index.ts';

/**
 * Returns the input schema of createPaymentLink. The schema does not compare expiresAt with the clock: the
 * database's clock decides. Each app builds the schema once, because building a schema costs far more than using it.
 */
export const createPaymentLinkInput = oncePer((app: InputApp) => schemaOf(app));

export type CreatePaymentLinkInput = z.output<Schema>;

type InputApp = Pick<App, 'config' | 'connectors' | 'antiFraudConnectors'>;
type Schema = ReturnType<typeof schemaOf>;

const locale = text(1, 50).refine(isLocale, 'Must be a BCP 47 language tag such as en-GB.');

const uuid = (what: string) => optional(z.string().refine(isUuid, `Must be the id of ${what}.`));

const fieldsOf = ({ config, connectors, antiFraudConnectors }: InputApp) => {
  const address = optional(
    webAddress({ insecure: !config.production }).refine(
      (url) => !hasCredentials(url),
      'Must not contain a user name or a password.',
    ),
  );
  return z.object({
    amount: amount(0),
    currency,
    country,
    intent: z.enum(['authorize', 'capture']),
    paymentSource: z.enum(['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file']),
    store: z.boolean(),
    buyerId: uuid('a buyer'),
    buyerExternalIdentifier: optional(text(1, 200)),
    buyer: optional(buyer),
    shippingDetailsId: uuid('shipping details'),
    shippingDetails: optional(shippingDetails),
    cartItems: optional(cartItems),
    splits: optional(splits),
    statementDescriptor: optional(statementDescriptor),
    metadata: optional(metadata),
    connectionOptions: optional(connectionOptions({ connectors, antiFraudConnectors })),
    installmentCount: optional(wholeNumber(1, 100)),
    externalIdentifier: optional(text(1, 200)),
    locale: optional(locale),
    merchantName: optional(text(1, 100)),
    merchantUrl: address,
    merchantBannerUrl: address,
    merchantColor: optional(cssColor),
    merchantMessage: optional(text(1, 255)),
    merchantTermsAndConditionsUrl: address,
    merchantFaviconUrl: address,
    returnUrl: address,
    routingVersionId: uuid('a version of a routing rule set'),
    offersReceipt: z.boolean(),
    expiresAt: optional(z.date()),
  });
};

type Fields = z.output<ReturnType<typeof fieldsOf>>;

const schemaOf = (app: InputApp) =>
  fieldsOf(app)
    .superRefine((fields, context) => {
      const issues = [
        ...refuseBetween({ ...fields, ...BY_BUYER }),
        ...refuseOwners(fields),
        ...refuseSplits(fields),
      ];
      for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message });
    })
    .transform(({ cartItems: items, ...fields }) => ({
      ...fields,
      buyerId: fields.buyerId?.toLowerCase() ?? null,
      routingVersionId: fields.routingVersionId?.toLowerCase() ?? null,
      cartItems: items?.length ? items.map(toCartItem) : null,
    }));

/** The buyer starts every payment on a page. */
const BY_BUYER = { merchantInitiated: false, isSubsequentPayment: false } as const;

/** Refuses more than one buyer or set of shipping details, and stored shipping details without a stored buyer. */
function refuseOwners(
  fields: Fields,
): readonly { readonly path: readonly string[]; readonly message: string }[] {
  const { buyerId, buyerExternalIdentifier, buyer: guest, shippingDetailsId } = fields;
  const given = [buyerId, buyerExternalIdentifier, guest].filter((each) => each !== null);
  const issues: { readonly path: readonly string[]; readonly message: string }[] = [];
  if (given.length > 1) {
    const message = 'Give at most one of buyerId, buyerExternalIdentifier and buyer.';
    issues.push({ path: [buyerId === null ? 'buyerExternalIdentifier' : 'buyerId'], message });
  }
  if (shippingDetailsId === null) return issues;
  if (fields.shippingDetails !== null) {
    const message = 'Give at most one of shippingDetailsId and shippingDetails.';
    issues.push({ path: ['shippingDetailsId'], message });
  }
  if (buyerId === null && buyerExternalIdentifier === null) {
    const message = 'Shipping details need their stored buyer: give buyerId or buyerExternalIdentifier.';
    issues.push({ path: ['shippingDetailsId'], message });
  }
  return issues;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    // The constructor throws for a text that is no language tag.
    return false;
  }
}

function hasCredentials(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.username !== '' || url.password !== '');
}
