/** The test cards of two networks. */
export const CO_BADGED: ReadonlyMap<string, readonly string[]> = new Map([
  ['4000002500001001', ['carte_bancaire', 'visa']],
  ['5555552500001001', ['carte_bancaire', 'mastercard']],
]);

/** The networks whose choice the sandbox takes. */
export const CHOSEN_NETWORKS: readonly string[] = ['carte_bancaire', 'mastercard', 'visa'];

/** The first digits of the networks. A card that is not co-badged has the network of its number alone. */
const BEGINS: Readonly<Record<string, RegExp>> = { mastercard: /^[25]/, visa: /^4/ };

type Request = {
  readonly operation: string;
  readonly network?: string;
  readonly card?: { readonly number: string };
};

/** Returns the answer for a network to which the card does not belong. Null without a choice, and for a right one. */
export function refuseNetwork({ operation, network, card }: Request) {
  if (operation !== 'authorize' || network === undefined || !card) return null;
  const number = card.number;
  const isOf = CO_BADGED.get(number)?.includes(network) ?? BEGINS[network]?.test(number) ?? false;
  return isOf ? null : REFUSED;
}

const REFUSED = {
  result: 'error',
  code: 'unsupported_scheme',
  message: 'Simulated: the card is not of this network',
} as const;

/** Returns the country of a card's issuer in the sandbox, by the scheme's first digit. */
export const countryOf = (number: string): string => COUNTRIES[number.charAt(0)] ?? 'US';

/** Other cards are issued in the United States. */
const COUNTRIES: Readonly<Record<string, string>> = { '2': 'DE', '3': 'FR', '5': 'GB', '6': 'JP' };
