import { isIban } from '../../kernel/account-numbers/iban.ts';
import type { Known, KnownCard, Outcome } from '../interface/outcome.ts';
import { cleanSchemeCodes, refusedBy } from '../codes/scheme-codes.ts';

/** Secrets that a provider received for one call. */
export type Confidential = {
  readonly cardNumber: string | null;
  readonly securityCode: string | null;
  /** The number of a bank account. */
  readonly accountNumber?: string | null;
  /** The last digits of a bank account whose whole number is not known any more. */
  readonly accountEnding?: string | null;
  /** Values of the secret credentials only. */
  readonly credentials: readonly string[];
};

/**
 * Cleans the provider's words in an outcome, so that they can be stored and shown.
 *
 * - Removes the card and the credentials, because some providers repeat the request in error messages.
 * - Removes control characters, because Postgres rejects some of them.
 * - Removes a country that is no ISO 3166-1 code, and facts of a card in another form than the API's.
 * - Cuts words to 500 characters.
 * - Removes the scheme's codes in another form, and decides a refusal by them as `refusedBy` does.
 * - Never changes a reference. A success whose reference cannot be stored becomes `unknown`.
 * - Never changes the buyer's next page or code. A wait for a page that no browser can open becomes `unknown`. So does a wait
 *   for a code that no page can show.
 * - Never changes the action of a client. A wait for an action with a secret of the service, or a large one, becomes `unknown`.
 */
export function cleanOutcome(outcome: Outcome, given: Confidential): Outcome {
  if (outcome.kind === 'unknown') return outcome;
  const token = outcome.kind === 'succeeded' ? outcome.recurringToken : null;
  const hidden = token == null ? given : { ...given, credentials: [...given.credentials, token] };
  const tidy = (text: string | null | undefined, isProse = false): string | null =>
    text == null ? null : storable(withoutSecrets(text, hidden, isProse));
  const words = {
    rawResponseCode: tidy(outcome.rawResponseCode),
    rawResponseDescription: tidy(outcome.rawResponseDescription, true),
    authResponseCode: tidy(outcome.authResponseCode),
    ...cleanSchemeCodes(outcome),
    ...(outcome.cardCountry !== undefined && { cardCountry: countryOrNull(outcome.cardCountry) }),
    ...(outcome.card != null && { card: cleanCard(outcome.card) }),
  };
  const reference = storableOrNull(outcome.reference);
  if (outcome.kind === 'succeeded' && reference !== null)
    return { ...outcome, ...words, reference, ...cleanKnown(outcome) };
  if (outcome.kind === 'declined' || outcome.kind === 'failed')
    return { ...outcome, ...words, reference, ...refusedBy(words, outcome) };
  return reference === null ||
    !isStorable(named(outcome)) ||
    !leadsSomewhere(outcome) ||
    !isFitForClient(outcome, given)
    ? { kind: 'unknown', cause: 'unreadable' }
    : { ...outcome, ...words, reference };
}

/**
 * Returns the reference that the buyer of a push payment names. Like other references, this reference must stay
 * unchanged.
 */
const named = (outcome: Outcome): string =>
  (outcome.kind === 'accepted' ? outcome.paymentReference : undefined) ?? '';

/** True if the buyer's browser can open the page, post the form or show the code of an accepted authorisation. */
function leadsSomewhere(outcome: Outcome): boolean {
  if (outcome.kind !== 'accepted') return true;
  const { approvalUrl: url, approvalForm: form, qrCode } = outcome;
  if (qrCode !== undefined && (form || qrCode === '' || Buffer.byteLength(qrCode) > CODE_BYTES_MAX))
    return false;
  if (url !== undefined && !(url.length <= URL_MAX && WEB.has(URL.parse(url)?.protocol ?? ''))) return false;
  return form === undefined || (url !== undefined && areSmall(form));
}

/** A larger code has too many squares for the camera of a telephone. */
const CODE_BYTES_MAX = 2_000;

/** The most bytes of a client's action, in UTF-8. Those of Adyen have some thousand. */
const ACTION_BYTES_MAX = 64 * 1024;

/**
 * True if a text has the card or a credential. A reference or an encoded text may look like an account by chance, so no account is
 * searched.
 */
export const holdsSecret = (
  text: string,
  { cardNumber, credentials }: Pick<Confidential, 'cardNumber' | 'credentials'>,
): boolean =>
  [cardNumber ?? '', ...credentials].some(
    (secret) => secret.length >= CREDENTIAL_MIN && text.includes(secret),
  );

/** True if the buyer's client can get the action. */
function isFitForClient(outcome: Outcome, given: Confidential): boolean {
  const action = outcome.kind === 'accepted' ? outcome.clientAction : undefined;
  if (action === undefined) return true;
  return Buffer.byteLength(action) <= ACTION_BYTES_MAX && !holdsSecret(action, given);
}

const WEB: ReadonlySet<string> = new Set(['https:', 'http:']);
const URL_MAX = 8192;

/** The limits for the fields of a form, and for the parameters of a buyer's return. */
export const FIELDS_MAX = 50;
export const FIELD_CHARACTERS_MAX = 20_000;

/** True if there are few fields, with few characters in all. */
export function areSmall(fields: Readonly<Record<string, string>>): boolean {
  const entries = Object.entries(fields);
  const characters = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return entries.length <= FIELDS_MAX && characters <= FIELD_CHARACTERS_MAX;
}

/** Keeps both names unchanged or sets them to null. A payment without the names still succeeds. */
export function cleanKnown({ schemeTransactionId: id, recurringToken: token }: Known): Known {
  return {
    ...(id !== undefined && { schemeTransactionId: id !== null && isSchemeReference(id) ? id : null }),
    ...(token !== undefined && { recurringToken: token !== null && isToken(token) ? token : null }),
  };
}

/** Keeps each fact of a card in its own form or sets the fact to null. No form fits a whole card number. */
export const cleanCard = ({ scheme, bin, lastFour, expirationDate }: KnownCard): KnownCard => ({
  scheme: matching(scheme, /^[a-z_]{1,40}$/),
  bin: matching(bin, /^\d{6,8}$/),
  lastFour: matching(lastFour, /^\d{4}$/),
  expirationDate: matching(expirationDate, /^(0[1-9]|1[0-2])\/\d{2}$/),
});

const matching = (text: string | null, form: RegExp): string | null =>
  text !== null && form.test(text) ? text : null;

const countryOrNull = (text: string | null): string | null =>
  text !== null && /^[A-Z]{2}$/.test(text) ? text : null;

/** True if a provider's name of a payment method can be stored. */
export const isToken = (text: string): boolean =>
  text.length > 0 && text.length <= TOKEN_MAX && text.isWellFormed() && text.search(CONTROL) === -1;

/** True if the id fits the limit for scheme ids of stored payment methods. */
const isSchemeReference = (text: string): boolean =>
  text.length > 0 && text.length <= 100 && isStorable(text);

const TOKEN_MAX = 10_000;
const WORDS_MAX = 500;
const REFERENCE_MAX = 255;

const CONTROL = /[\u0000-\u001f\u007f]/g;

/** True if a reference can be stored unchanged. */
export const isStorable = (text: string): boolean =>
  text.length <= REFERENCE_MAX && text.isWellFormed() && text.search(CONTROL) === -1;

/** Returns a reference unchanged, or null if it cannot be stored. */
export const storableOrNull = (text: string | null): string | null =>
  text !== null && isStorable(text) ? text : null;

/** Cleans one text under the rules of `cleanOutcome`. */
export const cleanText = (text: string, given: Confidential): string => storable(withoutSecrets(text, given));

const storable = (text: string): string => text.slice(0, WORDS_MAX).toWellFormed().replace(CONTROL, ' ');

/** A shorter credential would match in any text and protects nothing. */
const CREDENTIAL_MIN = 6;

/** Matches a number in any grouping. */
const spaced = (number: string): RegExp => new RegExp(Array.from(number).join('[\\s-]?'), 'gi');

/** An IBAN in the grouping of paper: blocks of four. */
const IBAN = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?\b/gi;

/** Hides the account of a debit, and every IBAN with valid check digits. */
function withoutAccounts(text: string, { accountNumber, accountEnding }: Confidential): string {
  const hidden = accountNumber == null ? text : text.replace(spaced(accountNumber), '…');
  const ended =
    accountEnding == null
      ? hidden
      : hidden.replace(
          new RegExp(`\\d(?:[\\s-]?\\d)*[\\s-]?${spaced(accountEnding).source}(?!\\d)`, 'g'),
          '…',
        );
  return ended.replace(IBAN, withoutIban);
}

/** Hides an IBAN at the beginning of a text. Words may follow it. */
function withoutIban(text: string): string {
  const ends = [text.length, ...Array.from(text.matchAll(/[ -]/g), ({ index }) => index).toReversed()];
  const end = ends.find((place) => isIban(text.slice(0, place).replaceAll(/[ -]/g, '')));
  return end === undefined ? text : `…${text.slice(end)}`;
}

/**
 * Hides credentials, card number and security code.
 *
 * Three digits may match a security code by chance. A code is therefore hidden only in prose or beside other
 * card data.
 */
function withoutSecrets(text: string, given: Confidential, isProse = false): string {
  const { cardNumber, securityCode } = given;
  const credentials = given.credentials.filter(({ length }) => length >= CREDENTIAL_MIN);
  let hidden = credentials.reduce((rest, credential) => rest.replaceAll(credential, '…'), text);
  if (cardNumber !== null) hidden = hidden.replace(spaced(cardNumber), '…');
  hidden = withoutAccounts(hidden, given);
  if (securityCode === null || (!isProse && hidden === text)) return hidden;
  return hidden.replace(new RegExp(`(?<!\\d)${securityCode}(?!\\d)`, 'g'), '…');
}
