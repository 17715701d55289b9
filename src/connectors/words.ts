import type { Known, Outcome } from './outcome.ts';

/** Secrets that a provider received for one call. */
export type Confidential = {
  readonly cardNumber: string | null;
  readonly securityCode: string | null;
  /** Values of the secret credentials only. */
  readonly credentials: readonly string[];
};

/**
 * Cleans the provider's words in an outcome, so that they can be stored and shown.
 *
 * - Removes the card and the credentials, because some providers repeat the request in error messages.
 * - Removes control characters, because Postgres rejects some of them.
 * - Cuts words to 500 characters.
 * - Never changes a reference. A success whose reference cannot be stored becomes `unknown`.
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
  };
  const reference = outcome.reference !== null && isStorable(outcome.reference) ? outcome.reference : null;
  if (outcome.kind === 'succeeded' && reference !== null)
    return { ...outcome, ...words, reference, ...cleanKnown(outcome) };
  if (outcome.kind === 'declined' || outcome.kind === 'failed')
    return { ...outcome, ...words, reference, errorCode: storable(withoutSecrets(outcome.errorCode, given)) };
  return reference === null || !isStorable(named(outcome))
    ? { kind: 'unknown', cause: 'unreadable' }
    : { ...outcome, ...words, reference };
}

/**
 * Returns the reference that the buyer of a push payment names. Like other references, this reference must stay
 * unchanged.
 */
const named = (outcome: Outcome): string =>
  (outcome.kind === 'accepted' ? outcome.paymentReference : undefined) ?? '';

/** Keeps both names unchanged or sets them to null. A payment without the names still succeeds. */
export function cleanKnown({ schemeTransactionId: id, recurringToken: token }: Known): Known {
  return {
    ...(id !== undefined && { schemeTransactionId: id !== null && isSchemeReference(id) ? id : null }),
    ...(token !== undefined && { recurringToken: token !== null && isToken(token) ? token : null }),
  };
}

/** True if a provider's name of a payment method can be stored. */
const isToken = (text: string): boolean =>
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

/** Cleans one text under the rules of `cleanOutcome`. */
export const cleanText = (text: string, given: Confidential): string => storable(withoutSecrets(text, given));

const storable = (text: string): string => text.slice(0, WORDS_MAX).toWellFormed().replace(CONTROL, ' ');

/** A shorter credential would match in any text and protects nothing. */
const CREDENTIAL_MIN = 6;

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
  if (cardNumber !== null)
    hidden = hidden.replace(new RegExp(Array.from(cardNumber).join('[\\s-]?'), 'g'), '…');
  if (securityCode === null || (!isProse && hidden === text)) return hidden;
  return hidden.replace(new RegExp(`(?<!\\d)${securityCode}(?!\\d)`, 'g'), '…');
}
