import type { CallContext } from '../door.ts';

/** The addresses of Adyen's services for one payment service, without a slash at the end. */
export type AdyenAddresses = {
  /** The Checkout API, with its version. */
  readonly checkout: string;
  /** The Disputes API, with its version. */
  readonly disputes: string;
  /** The folder of the reports of all merchant accounts. */
  readonly reports: string;
};

/** Finds the addresses for a payment service. Null if a field that they need is missing or malformed. */
export type AdyenHosts = (context: Pick<CallContext, 'credentials' | 'environment'>) => AdyenAddresses | null;

/** The versions in the paths. Nothing else selects a version. */
const CHECKOUT = 'v71';
const DISPUTES = 'v30';

/** Returns the addresses at Adyen. A live account has a host of its own for payments, which begins with the live prefix. */
export const adyenHosts: AdyenHosts = ({ credentials, environment }) => {
  if (environment === 'sandbox') return addressesAt('https://checkout-test.adyen.com', 'test');
  const prefix = credentials['live_prefix'] ?? '';
  // The prefix becomes a part of a host, so no other character may be in it.
  return LIVE_PREFIX.test(prefix)
    ? addressesAt(`https://${prefix}-checkout-live.adyenpayments.com/checkout`, 'live')
    : null;
};

const addressesAt = (checkout: string, area: 'test' | 'live'): AdyenAddresses => ({
  checkout: `${checkout}/${CHECKOUT}`,
  disputes: `https://ca-${area}.adyen.com/ca/services/DisputeService/${DISPUTES}`,
  reports: `https://ca-${area}.adyen.com/reports/download/MerchantAccount`,
});

const LIVE_PREFIX = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}[A-Za-z0-9])?$/;
