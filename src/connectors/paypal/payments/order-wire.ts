import {
  cutText,
  statementText,
  type AuthorizeRequest,
  type PayingBuyer,
  type Series,
  type StatementDescriptor,
} from '../../door.ts';
import type { PayPalMoney } from '../amount.ts';
import { nameOf } from '../names.ts';
import { cartToWire } from './cart-wire.ts';
import type { SharesOnWire } from './splits-wire.ts';
import type { PayPalOrder, PayPalUnit, PayPalWallet } from '../request-shapes.ts';

/** The parameter with which PayPal's page sends back a buyer who does not want to pay. */
export const CANCELLED = 'cancelled';

/**
 * Maps our authorisation to an order. The same for the same request.
 *
 * - A stored method pays at once.
 * - A buyer in the merchant's client chooses there how to pay, so the order names no source. Storing needs the source.
 * - Every other buyer goes to PayPal's page.
 */
export function orderToWire(
  request: AuthorizeRequest,
  amount: PayPalMoney,
  shares: SharesOnWire = {},
): PayPalOrder {
  const { capture, integrationClient, token, series } = request;
  const isOpen = integrationClient !== null && token === null && !series.tokenizes;
  return {
    intent: capture ? 'CAPTURE' : 'AUTHORIZE',
    purchase_units: [{ ...unitToWire(request, amount), ...shares }],
    ...(!isOpen && { payment_source: { paypal: walletToWire(request) } }),
  };
}

/** Maps an empty order, which takes the key of an authorisation. Nobody approves the order, so no money moves. */
export const fenceToWire = (authorizationKey: string, amount: PayPalMoney): PayPalOrder => ({
  intent: 'CAPTURE',
  purchase_units: [{ amount, custom_id: nameOf({ key: authorizationKey, part: 1, parts: 1 }) }],
});

const REFERENCE_MAX = 256;

function unitToWire(request: AuthorizeRequest, amount: PayPalMoney): PayPalUnit {
  const { key, merchantReference, statementDescriptor, buyer } = request;
  const name = nameOf({ key, part: 1, parts: 1 });
  const shipping = shippingToWire(buyer.shipping);
  const descriptor = statementDescriptor && statementOf(statementDescriptor);
  const cart = cartToWire(request);
  return {
    reference_id: cutText(merchantReference, REFERENCE_MAX) ?? key,
    ...{ custom_id: name, invoice_id: name },
    amount: { ...amount, ...(cart && { breakdown: cart.breakdown }) },
    ...(cart && cart.items.length > 0 && { items: cart.items }),
    ...(descriptor && { soft_descriptor: descriptor }),
    ...(shipping && { shipping }),
  };
}

function walletToWire(request: AuthorizeRequest): PayPalWallet {
  const { token, series, buyer, returnUrl } = request;
  const isVisible = returnUrl !== null && !series.merchantInitiated;
  return {
    ...(token === null
      ? {
          // PayPal fills the address in for the buyer.
          ...(buyer.email !== null && { email_address: buyer.email }),
          ...(series.tokenizes && { attributes: { vault: vaultOf(series) } }),
        }
      : { vault_id: token, stored_credential: credentialOf(series) }),
    ...(isVisible && { experience_context: experienceOf(request, returnUrl) }),
  };
}

function credentialOf({ merchantInitiated, source }: Series): NonNullable<PayPalWallet['stored_credential']> {
  return {
    payment_initiator: merchantInitiated ? 'MERCHANT' : 'CUSTOMER',
    // The payment that stored the method came first.
    usage: 'SUBSEQUENT',
    ...(source === 'recurring' && { usage_pattern: 'RECURRING_PREPAID' }),
  };
}

const vaultOf = ({ source }: Series): NonNullable<NonNullable<PayPalWallet['attributes']>['vault']> => ({
  ...{ store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' },
  ...(source === 'recurring' && { usage_pattern: 'RECURRING_PREPAID' }),
});

type Experience = NonNullable<PayPalWallet['experience_context']>;

function experienceOf({ buyer, browserInfo }: AuthorizeRequest, returnUrl: string): Experience {
  const language = browserInfo?.language ?? '';
  const cancelUrl = new URL(returnUrl);
  cancelUrl.searchParams.set(CANCELLED, 'true');
  return {
    ...{ return_url: returnUrl, cancel_url: cancelUrl.href, user_action: 'PAY_NOW' },
    // The amount is fixed, so the buyer chooses no address that would change the price.
    shipping_preference: shippingToWire(buyer.shipping) ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING',
    ...(LOCALE.test(language) && { locale: language }),
  };
}

/** A language with a country, of which PayPal has pages. */
const LOCALE = /^[a-z]{2}-[A-Z]{2}$/;

/** Maps the receiver of the goods. Null without a street, a city or a country. */
function shippingToWire(shipping: PayingBuyer['shipping']): NonNullable<PayPalUnit['shipping']> | null {
  const address = shipping?.address;
  const { line1 = null, line2 = null, city = null, postalCode = null, country = null } = address ?? {};
  const { state = null } = address ?? {};
  if (!shipping || line1 === null || city === null || country === null) return null;
  const name = [shipping.firstName, shipping.lastName].filter(Boolean).join(' ');
  return {
    ...(name !== '' && { name: { full_name: name } }),
    address: {
      address_line_1: line1,
      ...(line2 !== null && { address_line_2: line2 }),
      admin_area_2: city,
      ...(state !== null && { admin_area_1: state }),
      ...(postalCode !== null && { postal_code: postalCode }),
      country_code: country,
    },
  };
}

/** The length that a statement shows, with PayPal's prefix. */
const STATEMENT_MAX = 22;

/** The characters that PayPal does not take. */
const REFUSED = /[^a-zA-Z0-9 .*-]/g;

/** Returns the text for the buyer's statement in plain characters. Null without a letter. */
const statementOf = ({ name, description }: StatementDescriptor): string | null =>
  statementText(name ?? description ?? '', REFUSED, STATEMENT_MAX);
