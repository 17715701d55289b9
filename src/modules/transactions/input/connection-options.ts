import { z } from 'zod';
import type { App } from '../../../app.ts';
import { refuseText } from '../../../platform/input/text.ts';
import type { ConnectionOptions, Json } from '../model/details.ts';

/** The connectors that may have options, those of payment services and of anti-fraud services. */
export type Connected = Pick<App, 'connectors' | 'antiFraudConnectors'>;

/** The most bytes of all options together, as JSON in UTF-8. Each transaction is stored and read with its options. */
const BYTES_MAX = 16 * 1024;

/**
 * Checks settings for single connectors, each an object or null. Refuses only values that Postgres cannot store. The connector
 * checks the rest. A name is the id of a connector's definition or a name of facts Appendix C.
 */
export const connectionOptions = ({ connectors, antiFraudConnectors }: Connected) => {
  const here = [...connectors, ...antiFraudConnectors].flatMap(({ definitions }) =>
    definitions.map(({ id }) => id),
  );
  const names = new Set([...NAMES, ...here]);
  return z.custom<ConnectionOptions>().superRefine((options, context) => {
    const refuse = (path: readonly string[], message: string) =>
      context.addIssue({ code: 'custom', path: [...path], message });
    if (Buffer.byteLength(JSON.stringify(options)) > BYTES_MAX) {
      refuse([], `Must be at most ${BYTES_MAX / 1024} KiB of JSON.`);
      return;
    }
    for (const [name, value] of Object.entries(options)) {
      // An unknown name may be anything, so the message does not repeat the name.
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
 * Returns the options of each connector as one text, independent of the order of names. An idempotency key remembers this text.
 * Paths alone would not tell `{"a.b": 1}` from `{"a": {"b": 1}}`.
 */
export const canonicalOptions = (options: ConnectionOptions): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, JSON.stringify(value, inOrder)]));

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Returns the first reason why Postgres cannot store a value, or null. */
function firstRefusal(value: Json): string | null {
  if (typeof value === 'string') return refuseText(value, 0, BYTES_MAX);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const message = refuseText(name, 0, BYTES_MAX) ?? firstRefusal(inner);
    if (message) return message;
  }
  return null;
}

/** The connectors with options in facts Appendix C. Some of them are not built yet. */
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
