import {
  withoutNulls,
  type AuthorizeRequest,
  type PostalAddress,
  type Series,
  type ThreeDSecureData,
} from '../../door.ts';
import { orderIdOf } from '../names.ts';
import type { Means } from './means.ts';

/** The parts of a payment that our request does not have. */
type Given = Means & { readonly amount: string; readonly merchantAccountId: string };

/** Maps our authorisation or sale. The same for the same request. */
export function paymentToWire(
  request: AuthorizeRequest,
  { paymentMethodId, amount, merchantAccountId }: Given,
): object {
  const { key, capture, series, token, buyer, ipAddress, browserInfo } = request;
  const initiator = initiatorOf(series);
  const risk = {
    ...(ipAddress !== null && { customerIp: ipAddress }),
    ...(browserInfo !== null && { customerBrowser: browserInfo.userAgent.slice(0, BROWSER_MAX) }),
  };
  const shipping = buyer.shipping?.address;
  const options = optionsOf(request);
  return {
    paymentMethodId,
    transaction: {
      ...{
        amount,
        merchantAccountId,
        orderId: orderIdOf({ key, isSale: capture, vaults: series.tokenizes }),
      },
      ...(initiator !== null && { paymentInitiator: initiator }),
      ...(Object.keys(risk).length > 0 && { riskData: risk }),
      ...(shipping && { shipping: { shippingAddress: addressToWire(shipping, buyer.shipping) } }),
      // Braintree takes details of a customer only without a stored payment method.
      ...(isNew(series, token) && buyer.email !== null && { customerDetails: { email: buyer.email } }),
      ...(series.tokenizes && { vaultPaymentMethodAfterTransacting: { when: 'ON_SUCCESSFUL_TRANSACTION' } }),
    },
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** Braintree takes at most this number of characters of a browser's name. */
const BROWSER_MAX = 255;

/** True for a payment method that Braintree does not store yet. */
const isNew = (series: Series, token: string | null): boolean =>
  token === null || (!series.isSubsequentPayment && !series.merchantInitiated);

/** Tells who initiated the payment. Null for a buyer who pays once, or again. */
function initiatorOf({ source, merchantInitiated, isSubsequentPayment }: Series): string | null {
  const isLater = merchantInitiated || isSubsequentPayment;
  switch (source) {
    case 'moto':
      return 'MOTO';
    case 'recurring':
      return isLater ? 'RECURRING' : 'RECURRING_FIRST';
    case 'installment':
      return isLater ? 'INSTALLMENT' : 'INSTALLMENT_FIRST';
    case 'card_on_file':
    case 'ecommerce':
      return merchantInitiated ? 'UNSCHEDULED' : null;
  }
}

function optionsOf(request: AuthorizeRequest): object {
  const { buyer, threeDSecure } = request;
  const vault = externalVaultOf(request);
  const passThrough = threeDSecure && authenticationToWire(threeDSecure);
  return {
    ...(buyer.billingAddress && { billingAddress: addressToWire(buyer.billingAddress, buyer) }),
    ...(vault && { externalVault: vault }),
    ...(passThrough && { threeDSecureAuthentication: { passThrough } }),
  };
}

/** Names the first payment of a card that somebody else stores. Null for a card that Braintree stores. */
function externalVaultOf({ series, token }: AuthorizeRequest): object | null {
  const { store, tokenizes, merchantInitiated, isSubsequentPayment, schemeTransactionId } = series;
  if (token !== null || tokenizes) return null;
  if (merchantInitiated || isSubsequentPayment)
    return {
      status: 'VAULTED',
      // Braintree takes the id only without the buyer.
      ...(merchantInitiated &&
        schemeTransactionId !== null && { verifyingNetworkTransactionId: schemeTransactionId }),
    };
  return store ? { status: 'WILL_VAULT' } : null;
}

/** Maps an authentication that was made elsewhere. Null without an ECI, which Braintree demands. */
function authenticationToWire(given: ThreeDSecureData): object | null {
  const { version, eci, cavv, directoryResponse, authenticationResponse } = given;
  const { directoryTransactionId, xid, cavvAlgorithm } = given;
  if (eci === null) return null;
  return withoutNulls({
    ...{ eciFlag: eci.padStart(2, '0'), version, cavv, xId: xid, cavvAlgorithm, authenticationResponse },
    ...{ directoryServerResponse: directoryResponse, directoryServerTransactionId: directoryTransactionId },
  });
}

type Named = { readonly firstName: string | null; readonly lastName: string | null };

/** Maps an address with its person. Leaves out what the merchant did not give. */
function addressToWire(address: PostalAddress, person: Named | null): object {
  const { line1, line2, city, state, postalCode, country, organization } = address;
  return withoutNulls({
    ...{ firstName: person?.firstName || null, lastName: person?.lastName || null, company: organization },
    ...{ addressLine1: line1, addressLine2: line2, adminArea2: city, adminArea1: state, postalCode },
    countryCode: country,
  });
}
