import { withoutNulls, type MerchantProfile, type ThreeDSecureData } from '../../door.ts';

/** Maps the result of an authentication to the provider's format. */
export const threeDSecureToWire = (data: ThreeDSecureData): Readonly<Record<string, string>> =>
  withoutNulls({
    version: data.version,
    eci: data.eci,
    cavv: data.cavv,
    directory_response: data.directoryResponse,
    authentication_response: data.authenticationResponse,
    directory_transaction_id: data.directoryTransactionId,
    xid: data.xid,
    cavv_algorithm: data.cavvAlgorithm,
    scheme: data.scheme,
  });

/** Maps the merchant at the card's scheme to the provider's format, by the names of EMV 3-D Secure. */
export const profileToWire = (profile: MerchantProfile): Readonly<Record<string, string>> => ({
  acquirer_bin: profile.merchantAcquirerBin,
  acquirer_merchant_id: profile.merchantAcquirerId,
  merchant_name: profile.merchantName,
  merchant_country_code: profile.merchantCountryCode,
  mcc: profile.merchantCategoryCode,
  three_ds_requestor_url: profile.merchantUrl,
});
