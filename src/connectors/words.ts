import type { Known, Outcome } from './outcome.ts';

/** What a provider was given in confidence for one call. */
export type Confidential = {
  readonly cardNumber: string | null;
  readonly securityCode: string | null;
  /** The secret ones. */
  readonly credentials: readonly string[];
};

/**
 * An outcome whose words can be stored, shown and told: without the card and the credentials, because some providers
 * repeat in an error message what they were sent; without control characters, of which Postgres does not take every one;
 * and cut to 500 characters. A reference has to stay as it is: a success whose reference cannot be stored is unknown.
 */
export function tidyWords(outcome: Outcome, given: Confidential): Outcome {
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
    return { ...outcome, ...words, reference, ...tidyKnown(outcome) };
  if (outcome.kind === 'declined' || outcome.kind === 'failed')
    return { ...outcome, ...words, reference, errorCode: storable(withoutSecrets(outcome.errorCode, given)) };
  return reference === null || !isStorable(named(outcome))
    ? { kind: 'unknown', cause: 'unreadable' }
    : { ...outcome, ...words, reference };
}

/** What the buyer of a push payment names; like a reference it has to stay as it is. */
const named = (outcome: Outcome): string =>
  (outcome.kind === 'accepted' ? outcome.paymentReference : undefined) ?? '';

/** As they are or not at all: a payment without them has succeeded all the same. */
export function tidyKnown({ schemeTransactionId: id, recurringToken: token }: Known): Known {
  return {
    ...(id !== undefined && { schemeTransactionId: id !== null && isSchemeReference(id) ? id : null }),
    ...(token !== undefined && { recurringToken: token !== null && isToken(token) ? token : null }),
  };
}

/** Whether a provider's name of a payment method can be kept. */
const isToken = (text: string): boolean =>
  text.length > 0 && text.length <= TOKEN_MAX && text.isWellFormed() && text.search(CONTROL) === -1;

/** As long as that of a stored payment method may be. */
const isSchemeReference = (text: string): boolean =>
  text.length > 0 && text.length <= 100 && isStorable(text);

const TOKEN_MAX = 10_000;
const WORDS_MAX = 500;
const REFERENCE_MAX = 255;

const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Whether a reference can be stored as it is. */
export const isStorable = (text: string): boolean =>
  text.length <= REFERENCE_MAX && text.isWellFormed() && text.search(CONTROL) === -1;

/** One text under the rules of `tidyWords`. */
export const tidyText = (text: string, given: Confidential): string => storable(withoutSecrets(text, given));

const storable = (text: string): string => text.slice(0, WORDS_MAX).toWellFormed().replace(CONTROL, ' ');

/** A shorter one would be found in any text, and protects nothing. */
const CREDENTIAL_MIN = 6;

/** A code of three digits may be a security code by chance, and is one when it stands beside the rest of the card. */
function withoutSecrets(text: string, given: Confidential, isProse = false): string {
  const { cardNumber, securityCode } = given;
  const credentials = given.credentials.filter(({ length }) => length >= CREDENTIAL_MIN);
  let hidden = credentials.reduce((rest, credential) => rest.replaceAll(credential, '…'), text);
  if (cardNumber !== null)
    hidden = hidden.replace(new RegExp(Array.from(cardNumber).join('[\\s-]?'), 'g'), '…');
  if (securityCode === null || (!isProse && hidden === text)) return hidden;
  return hidden.replace(new RegExp(`(?<!\\d)${securityCode}(?!\\d)`, 'g'), '…');
}
