import { expiryText, type KnownCard, type ProviderWords } from '../../door.ts';
import type { Action, Payment, Source } from '../answers.ts';

type Decision = Pick<Action, 'response_code' | 'response_summary' | 'auth_code' | 'processing'>;

/** Returns the words of a decision. */
export const wordsOf = (
  { response_code: code, response_summary: summary, auth_code: approval, processing }: Decision,
  otherwise: string | null = null,
) =>
  ({
    rawResponseCode: code ?? otherwise,
    rawResponseDescription: summary ?? null,
    authResponseCode: approval ?? null,
    ...(processing?.partner_response_code != null && {
      networkResponseCode: processing.partner_response_code,
    }),
    ...(processing?.recommendation_code != null && { merchantAdviceCode: processing.recommendation_code }),
  }) satisfies ProviderWords;

/** Returns the words about the card of a payment. A card that another party names is not told. */
export const cardWordsOf = ({ source }: Pick<Payment, 'source'>) =>
  source
    ? {
        avsResponseCode: AVS.get(source.avs_check ?? '') ?? null,
        cvvResponseCode: cvvOf(source.cvv_check ?? null),
        cardCountry: source.issuer_country ?? null,
        card: cardOf(source),
      }
    : {};

/** The results of the check of the address, by the scheme's letter. */
const AVS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    match: 'D F M X Y',
    partial_match_address: 'A B',
    partial_match_postcode: 'P W Z',
    no_match: 'C N',
    unavailable: 'E G I R S U',
  }).flatMap(([meaning, letters]) => letters.split(' ').map((letter) => [letter, meaning] as const)),
);

function cvvOf(letter: string | null): string {
  if (letter === 'Y' || letter === 'M') return 'match';
  return letter === 'N' || letter === 'D' ? 'no_match' : 'unavailable';
}

/** Schemes by their names at Checkout.com, in lower case and without spaces. */
const SCHEMES: Readonly<Record<string, string | undefined>> = {
  ...{ visa: 'visa', mastercard: 'mastercard', maestro: 'maestro', jcb: 'jcb', discover: 'discover' },
  ...{ amex: 'amex', americanexpress: 'amex', diners: 'diners_club', dinersclubinternational: 'diners_club' },
  ...{ cartesbancaires: 'carte_bancaire', unionpay: 'unionpay', chinaunionpay: 'unionpay' },
};

/** Describes the card behind a token. */
const cardOf = ({ scheme, bin, last4, expiry_month: month, expiry_year: year }: Source): KnownCard => ({
  scheme: SCHEMES[(scheme ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')] ?? null,
  ...{ bin: bin ?? null, lastFour: last4 ?? null, expirationDate: expiryText(month, year) },
});
