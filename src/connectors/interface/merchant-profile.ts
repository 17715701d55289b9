/** The merchant as one card scheme knows the merchant, for authentications. */
export type MerchantProfile = {
  /** The BIN of the acquirer, at most 11 characters. */
  readonly merchantAcquirerBin: string;
  /** The acquirer's id of the merchant, at most 35 characters. */
  readonly merchantAcquirerId: string;
  /** At most 40 characters. */
  readonly merchantName: string;
  /** ISO 3166-1 numeric, three digits. */
  readonly merchantCountryCode: string;
  /** ISO 18245, four digits. */
  readonly merchantCategoryCode: string;
  readonly merchantUrl: string;
};
