import { texts } from '../../texts/texts.ts';

/** The codes of the API with its sentences. */
export type DeclineCodes = readonly { readonly code: string; readonly description: string }[];

const SENTENCES: Readonly<Record<string, string>> = texts.declines;

/**
 * Says a normalised code in the language of the dashboard. A code that is newer than the dashboard has the sentence of the API.
 * Null says that there is no reason.
 */
export function reasonOf(codes: DeclineCodes, code: string | null): string {
  if (code === null) return texts.payment.noReason;
  const known = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : null;
  return known ?? codes.find((each) => each.code === code)?.description ?? code.replaceAll('_', ' ');
}
