import { z } from 'zod';
import type { Connector } from '../../../connectors/connector.ts';
import { refuseText } from '../../../platform/text.ts';
import type { ConnectionOptions, Json } from '../model/details.ts';

/** Together, as JSON in UTF-8: they are kept with every transaction and are read with it. */
const BYTES_MAX = 16 * 1024;

/**
 * Settings for single connectors, each an object or null. What is in one is the connector's business; here only what
 * cannot be kept is refused. Names are the ids of the connectors' definitions, and those that facts Appendix C names.
 */
export const connectionOptions = (connectors: readonly Pick<Connector, 'definitions'>[]) => {
  const here = connectors.flatMap(({ definitions }) => definitions.map(({ id }) => id));
  const names = new Set([...NAMES, ...here]);
  return z.custom<ConnectionOptions>().superRefine((options, context) => {
    const refuse = (path: readonly string[], message: string) =>
      context.addIssue({ code: 'custom', path: [...path], message });
    if (Buffer.byteLength(JSON.stringify(options)) > BYTES_MAX) {
      refuse([], `Must be at most ${BYTES_MAX / 1024} KiB of JSON.`);
      return;
    }
    for (const [name, value] of Object.entries(options)) {
      // A name that is not known may be anything, and is not repeated.
      if (!names.has(name)) refuse([], 'Each name must be the id of a connector, such as mock-card.');
      else if (typeof value !== 'object' || Array.isArray(value))
        refuse([name], 'Must be an object or null.');
      else {
        const message = firstRefusal(value);
        if (message) refuse([name], message);
      }
    }
  });
};

/**
 * The options of each connector as one text, the same whatever the order of names: what an idempotency key remembers.
 * Taken apart by path, `{"a.b": 1}` and `{"a": {"b": 1}}` would be the same to it.
 */
export const canonicalOptions = (options: ConnectionOptions): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, JSON.stringify(value, inOrder)]));

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Why the names and texts in a value cannot be kept; null when they can. */
function firstRefusal(value: Json): string | null {
  if (typeof value === 'string') return refuseText(value, 0, BYTES_MAX);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const message = refuseText(name, 0, BYTES_MAX) ?? firstRefusal(inner);
    if (message) return message;
  }
  return null;
}

/** The connectors that take options in facts Appendix C, whether or not they are here already. */
const NAMES = `
  account-updater adyen-ach adyen-afterpay adyen-alipay adyen-card adyen-cashapp adyen-cashappafterpay
  adyen-gcash adyen-giropay adyen-ideal adyen-konbini adyen-paybybank adyen-paypay adyen-pix adyen-sepa
  adyen-seveneleven adyen-sofort adyen-swish adyen-vipps affirm-affirm braintree-card chaseorbital-card
  cybersource-anti-fraud cybersource-card cybersource-ideal cybersource-kcp dlocal-card dlocal-gcash
  dlocal-nequi dlocal-pix dlocal-upi ecommpay-card fiserv-card forter-anti-fraud gem-gem gem-gemds
  givingblock-givingblock gocardless-gocardless klarna-klarna latitude-latitude latitude-latitudeds
  mattilda-tapi mattilda-tapifintechs mock-card mockds-card monato-spei nuvei-card nuvei-ideal nuvei-klarna
  nuvei-pse oxxo-oxxo paypal-paypal paypal-paypalpaylater powertranz-card riskified-anti-fraud stripe-affirm
  stripe-card stripe-klarna stripe-onelink stripe-stripe travelhub-card trustly-trustly worldpayvap-card
  wpay-everydaypay wpay-payto
`
  .trim()
  .split(/\s+/);
