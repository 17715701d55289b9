import { cutText, type AuthorizeRequest, type PayingBuyer, type PostalAddress } from '../../door.ts';
import type { MollieAmount } from '../amount.ts';
import { LOCALES } from '../locales.ts';
import { CARD } from '../methods.ts';
import { metadataOf } from '../names.ts';
import { isCardToken, type StoredMandate } from '../stored-token.ts';

type MollieAddress = {
  readonly givenName?: string;
  readonly familyName?: string;
  readonly organizationName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly streetAndNumber?: string;
  readonly streetAdditional?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly region?: string;
  readonly country?: string;
};

/** A payment as Mollie takes it. */
export type MolliePayment = {
  readonly amount: MollieAmount;
  readonly description: string;
  readonly redirectUrl?: string;
  readonly webhookUrl?: string;
  readonly method?: string;
  readonly captureMode?: 'automatic' | 'manual';
  readonly cardToken?: string;
  readonly customerId?: string;
  readonly mandateId?: string;
  readonly sequenceType?: 'first' | 'recurring';
  readonly locale?: string;
  readonly billingAddress?: MollieAddress;
  readonly shippingAddress?: MollieAddress;
  readonly metadata: Readonly<Record<string, string>>;
};

/** The parts of a payment that our request does not have. */
export type Given = {
  readonly amount: MollieAmount;
  /** Mollie's name of the method. */
  readonly method: string;
  /** The stored method that pays. Null if the buyer is on Mollie's page. */
  readonly mandate: StoredMandate | null;
  /** The customer for whom the payment stores its method. Null if the payment stores none. */
  readonly customerId: string | null;
};

const DESCRIPTION_MAX = 255;

/** The address for a payment from whose page nobody comes back. Mollie demands one. */
export const NOWHERE = 'https://paygraph.invalid/';

/** Maps our authorisation to a payment. The same for the same request. */
export function paymentToWire(request: AuthorizeRequest, given: Given): MolliePayment {
  const { key, merchantReference, notifyUrl, capture } = request;
  const { amount, method, mandate } = given;
  return {
    ...{ amount, method },
    description: cutText(merchantReference, DESCRIPTION_MAX) ?? key,
    ...(mandate === null ? onPage(request, given) : { ...mandate, sequenceType: 'recurring' as const }),
    ...(notifyUrl !== null && { webhookUrl: notifyUrl }),
    // Only cards can be held. Every other method takes the money at once.
    ...(method === CARD && { captureMode: capture ? ('automatic' as const) : ('manual' as const) }),
    metadata: metadataOf(key),
  };
}

function onPage(
  { token, returnUrl, buyer, browserInfo }: AuthorizeRequest,
  { customerId }: Given,
): Partial<MolliePayment> {
  const locale = browserInfo?.language.replace('-', '_') ?? '';
  const billing = addressOf(buyer, buyer.billingAddress, buyer.email, buyer.phone);
  const shipping = buyer.shipping && addressOf(buyer.shipping, buyer.shipping.address, null, null);
  return {
    redirectUrl: returnUrl ?? NOWHERE,
    ...(token !== null && isCardToken(token) && { cardToken: token }),
    ...(customerId !== null && { customerId, sequenceType: 'first' as const }),
    ...(LOCALES.has(locale) && { locale }),
    ...(billing && { billingAddress: billing }),
    ...(shipping && { shippingAddress: shipping }),
  };
}

/** Maps a person with an address. Mollie takes none without an email or a whole postal address. */
function addressOf(
  { firstName, lastName }: Pick<PayingBuyer, 'firstName' | 'lastName'>,
  address: PostalAddress | null,
  email: string | null,
  phone: string | null,
): MollieAddress | null {
  const { line1 = null, line2 = null, city = null, postalCode = null } = address ?? {};
  const { country = null, state = null, organization = null } = address ?? {};
  const isWhole = line1 !== null && city !== null && country !== null;
  if (!isWhole && email === null) return null;
  return {
    ...(isName(firstName) && { givenName: firstName }),
    ...(isName(lastName) && { familyName: lastName }),
    ...(organization !== null && { organizationName: organization }),
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(isWhole && {
      streetAndNumber: line1,
      ...(line2 !== null && { streetAdditional: line2 }),
      ...(postalCode !== null && { postalCode }),
      city,
      ...(state !== null && { region: state }),
      country,
    }),
  };
}

/** True for a name that Mollie takes: two characters or more, and not digits alone. */
const isName = (name: string | null): name is string =>
  name !== null && /^.{2,}$/su.test(name) && /[^\d\s]/.test(name);
