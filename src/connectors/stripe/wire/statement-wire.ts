import type { StatementDescriptor } from '../../requests.ts';

/**
 * The account's prefix, an asterisk and a space precede the suffix of a card. With a prefix of ten characters, ten are left of
 * twenty-two.
 */
const SUFFIX_MAX = 10;

const DESCRIPTOR_MIN = 5;
const DESCRIPTOR_MAX = 22;

/**
 * Maps the text for the buyer's statement. For a card the text is only a suffix: Stripe refuses a whole text. A text that Stripe
 * would refuse is cut or left out, because no payment should fail for it.
 */
export function statementOf(
  descriptor: StatementDescriptor | null,
  isCard: boolean,
): { statement_descriptor_suffix?: string; statement_descriptor?: string } {
  const text = cleaned(descriptor?.name ?? '');
  if (!/[A-Za-z]/.test(text.slice(0, isCard ? SUFFIX_MAX : DESCRIPTOR_MAX))) return {};
  if (isCard) return { statement_descriptor_suffix: text.slice(0, SUFFIX_MAX).trim() };
  const cut = text.slice(0, DESCRIPTOR_MAX).trim();
  return cut.length < DESCRIPTOR_MIN ? {} : { statement_descriptor: cut };
}

/** Keeps Latin letters, digits and plain signs. Stripe refuses angle brackets, quotes, asterisks and backslashes. */
const cleaned = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]|[<>\\'"*]/g, '')
    .replace(/ +/g, ' ')
    .trim();
