import type { Money } from '../../kernel/money.ts';
import type { BrowserInfo, IntegrationClient, PostalAddress, Series } from '../interface/requests.ts';
import type { ThreeDSecureData } from '../interface/three-d-secure.ts';

/**
 * A payment to check. `key` is the transaction's id: every attempt repeats the same check. The card number is
 * never included. A field is null if the merchant did not give it.
 */
export type CheckRequest = {
  readonly key: string;
  /** The whole payment, gift cards included. */
  readonly money: Money;
  /** The part of `money` that gift cards pay, in minor units. */
  readonly giftCardAmount: number;
  /** The time at which the merchant asked for the payment. */
  readonly requestedAt: Date;
  readonly buyer: CheckedBuyer | null;
  /** The receiver of the goods. */
  readonly shipping: CheckedContact | null;
  /** The lines of the cart. Empty if the merchant gave none. */
  readonly cart: readonly CheckedItem[];
  /** The payment method in the API's words, such as `card`. Gift cards alone: `gift-card`. */
  readonly method: string;
  /** The wallet that pays. Null if no wallet pays. */
  readonly wallet: 'apple_pay' | 'google_pay' | null;
  /** Null if the buyer does not pay by card, or if only the provider can read the card. */
  readonly card: CheckedCard | null;
  /** The result of the buyer's authentication, which comes before the check. Null without a result. */
  readonly authentication: ThreeDSecureData | null;
  readonly source: Series['source'];
  /** The client of the buyer. Null if the merchant named none. */
  readonly client: IntegrationClient | null;
  readonly ipAddress: string | null;
  readonly browser: BrowserInfo | null;
  /** Id of the session in which the third party took the fingerprint of the buyer's device. */
  readonly deviceFingerprint: string | null;
  /** Connection options of the payment for this definition, unchanged. Null if the merchant gave none. */
  readonly options: Readonly<Record<string, unknown>> | null;
};

/** The fields of a payment's buyer that a check uses. */
export type CheckedBuyer = {
  readonly displayName: string | null;
  readonly externalIdentifier: string | null;
  readonly billingDetails: CheckedContact | null;
  /** The stored buyer. Null for a guest, and after the buyer's deletion. */
  readonly account: { readonly id: string; readonly createdAt: Date } | null;
};

export type CheckedContact = {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  /** In E.164 form. */
  readonly phoneNumber: string | null;
  readonly address: PostalAddress | null;
};

/** A line of the cart. Amounts are minor units. The unit price is for one unit, the other amounts are for the line. */
export type CheckedItem = {
  readonly name: string;
  readonly quantity: number;
  readonly unitAmount: number;
  readonly discountAmount: number;
  readonly taxAmount: number;
  readonly externalIdentifier: string | null;
  readonly sku: string | null;
  readonly productUrl: string | null;
  readonly categories: readonly string[] | null;
  /** In the API's words, such as `physical` or `shipping_fee`. */
  readonly productType: string | null;
};

/**
 * A card without its number. The field `bin` holds the first six to eight digits. The `fingerprint` is a keyed
 * digest of the number.
 */
export type CheckedCard = {
  readonly bin: string;
  readonly lastFour: string;
  readonly fingerprint: string | null;
  /** MM/YY. */
  readonly expirationDate: string | null;
  /** In the API's words, such as `visa`. */
  readonly scheme: string | null;
};
