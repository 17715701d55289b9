import { z } from 'zod';
import type { Connector } from '../../../connectors/interface/connector.ts';
import { cardNumber, expirationDate, type Ask } from '../../payment-methods/index.ts';
import { CARD_SCHEMES } from '../../payment-services/index.ts';
import { refuseText, text } from '../../../platform/input/text.ts';
import { optional, pattern } from '../../../platform/input/values.ts';

/** The longest token of a wallet or of a provider, in characters. */
const TOKEN_MAX = 10_000;

/** The token of a wallet, as JSON text. Only the provider reads it, so the text stays as it is. */
export const walletToken = z.object({
  token: z.string().superRefine((token, context) => {
    const message = refuseText(token, 1, TOKEN_MAX) ?? (isJsonObject(token) ? null : NO_OBJECT);
    if (message) context.addIssue({ code: 'custom', message });
  }),
});

const NO_OBJECT = 'Must be the JSON text of an object, as the wallet gave it.';

function isJsonObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A token that the provider's software made in the buyer's client. */
export const providerToken = z.object({ token: text(1, TOKEN_MAX) });

export const cryptogram = pattern(/^[A-Za-z0-9+/=_-]{1,100}$/, 'Must be 1 to 100 characters of base64.');
export const eci = pattern(/^0?\d$/, 'Must be one or two digits, such as 05.').transform((digits) =>
  digits.padStart(2, '0'),
);

/** A network token for one payment. The cryptogram goes to the provider and is never stored. */
export const networkToken = (ask: Ask) =>
  z.object({
    number: cardNumber,
    expirationDate: expirationDate(ask),
    cryptogram: optional(cryptogram),
    eci: optional(eci),
    scheme: optional(z.enum(CARD_SCHEMES, 'Must be a card scheme.')),
    cardLastFour: optional(pattern(/^\d{4}$/, 'Must be the last four digits of the card.')),
  });

type Issue = { readonly path: readonly string[]; readonly message: string };

type Given = {
  readonly merchantInitiated: boolean;
  readonly paymentServiceId?: string | null | undefined;
  readonly paymentMethod?:
    | {
        readonly providerToken?: unknown;
        readonly networkToken?: { readonly cryptogram: string | null } | null;
      }
    | null
    | undefined;
};

/** Refuses a token without the facts that its payment needs. */
export function refuseMeans({ merchantInitiated, paymentServiceId, paymentMethod }: Given): readonly Issue[] {
  if (!paymentMethod) return [];
  const { providerToken: token, networkToken: given } = paymentMethod;
  return [
    ...(token != null && paymentServiceId == null
      ? [{ path: ['paymentServiceId'], message: SERVICE_NEEDED }]
      : []),
    ...(given && given.cryptogram === null && !merchantInitiated
      ? [{ path: ['paymentMethod', 'networkToken', 'cryptogram'], message: CRYPTOGRAM_NEEDED }]
      : []),
  ];
}

const SERVICE_NEEDED =
  'Must be given for a providerToken: the id of the payment service whose provider made the token.';
export const CRYPTOGRAM_NEEDED =
  'Must be given unless the merchant initiates the payment: the scheme makes a cryptogram for each payment.';

/**
 * Lists the methods of all connectors that a buyer approves at the provider's page or pays elsewhere. Cards are among them if some
 * provider has a page for cards.
 */
export function redirectMethods(connectors: readonly Pick<Connector, 'definitions'>[]): readonly string[] {
  const definitions = connectors.flatMap((connector) => connector.definitions);
  const methods = definitions.flatMap(({ method, approvalWindow, supportedFeatures }) =>
    approvalWindow && (method !== 'card' || supportedFeatures.card_page) ? [method] : [],
  );
  return [...new Set(methods)];
}
