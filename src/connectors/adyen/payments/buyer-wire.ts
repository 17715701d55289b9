import type { AuthorizeRequest, BrowserInfo, PayingBuyer, PostalAddress } from '../../requests.ts';
import type { AdyenPayment } from '../request-shapes.ts';

/** Maps the buyer to Adyen's format. Fields that Adyen takes only whole are absent if a part is missing. */
export function buyerToWire({
  buyer,
  ipAddress,
  browserInfo,
}: Pick<AuthorizeRequest, 'buyer' | 'ipAddress' | 'browserInfo'>): Partial<AdyenPayment> {
  const { firstName, lastName, email, phone, shipping } = buyer;
  const billingAddress = addressToWire(buyer.billingAddress);
  const country = buyer.billingAddress?.country ?? null;
  return {
    ...(firstName !== null && lastName !== null && { shopperName: { firstName, lastName } }),
    ...(email !== null && { shopperEmail: email }),
    ...(phone !== null && { telephoneNumber: phone }),
    ...(country !== null && { countryCode: country }),
    ...(billingAddress && { billingAddress }),
    ...deliveryOf(shipping),
    ...(ipAddress !== null && { shopperIP: ipAddress }),
    ...(browserInfo && LOCALE.test(browserInfo.language) && { shopperLocale: browserInfo.language }),
  };
}

/** A language with a country, as Adyen takes it. */
const LOCALE = /^[a-z]{2}-[A-Z]{2}$/;

function deliveryOf(shipping: PayingBuyer['shipping']): Pick<AdyenPayment, 'deliveryAddress'> {
  const address = addressToWire(shipping?.address ?? null);
  if (!shipping || !address) return {};
  const { firstName, lastName } = shipping;
  return {
    deliveryAddress: {
      ...address,
      ...(firstName !== null && { firstName }),
      ...(lastName !== null && { lastName }),
    },
  };
}

type AdyenAddress = NonNullable<AdyenPayment['billingAddress']>;

/** Stands for a house number that the street holds, because Adyen requires the field. */
const NO_HOUSE_NUMBER = 'N/A';

/** The countries for which Adyen requires the state or province. */
const WITH_STATES: ReadonlySet<string> = new Set(['CA', 'US']);

/** Maps an address. Null without a street, a city, a postal code or a country, or without a state where Adyen requires one. */
function addressToWire(address: PostalAddress | null): AdyenAddress | null {
  if (!address) return null;
  const { line1, city, postalCode, country, stateCode, houseNumberOrName } = address;
  const state = stateCode?.split('-').at(-1) ?? null;
  if (line1 === null || city === null || postalCode === null || country === null) return null;
  if (state === null && WITH_STATES.has(country)) return null;
  const street = [line1, address.line2].filter((line) => line !== null).join(', ');
  return {
    ...{ street, city, postalCode, country },
    houseNumberOrName: houseNumberOrName ?? NO_HOUSE_NUMBER,
    ...(state !== null && WITH_STATES.has(country) && { stateOrProvince: state }),
  };
}

/**
 * Maps the buyer's browser. Adyen requires every value. Its page for the authentication asks the browser again, so neutral
 * values stand for the missing ones.
 */
export const browserToWire = (browser: BrowserInfo): NonNullable<AdyenPayment['browserInfo']> => ({
  acceptHeader: browser.acceptHeader ?? '*/*',
  userAgent: browser.userAgent,
  language: browser.language,
  javaScriptEnabled: browser.javascriptEnabled,
  javaEnabled: browser.javaEnabled ?? false,
  colorDepth: browser.colorDepth ?? 24,
  screenHeight: browser.screenHeight ?? 0,
  screenWidth: browser.screenWidth ?? 0,
  timeZoneOffset: browser.timeZoneOffset ?? 0,
});
