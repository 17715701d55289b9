import type { AuthorizeRequest, BrowserInfo, PayingBuyer, PostalAddress } from '../../door.ts';
import { UNKNOWN_COUNTRY } from '../buyer.ts';
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
    ...(country !== null && country !== UNKNOWN_COUNTRY && { countryCode: country }),
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

/** Maps an address, to which Adyen's profile gave every part. Null without one of them. */
function addressToWire(address: PostalAddress | null): AdyenAddress | null {
  if (!address) return null;
  const { line1, city, postalCode, country, state, houseNumberOrName } = address;
  if (line1 === null || city === null || postalCode === null || country === null) return null;
  if (houseNumberOrName === null) return null;
  const street = [line1, address.line2].filter((line) => line !== null).join(', ');
  return {
    ...{ street, houseNumberOrName, city, postalCode, country },
    ...(state !== null && { stateOrProvince: state }),
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
