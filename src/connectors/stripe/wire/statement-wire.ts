import { statementText, type Credentials, type StatementDescriptor } from '../../door.ts';

/** The characters that Stripe refuses in a statement. */
const REFUSED = /[^\x20-\x7e]|[<>\\'"*]/g;

const DESCRIPTOR_MIN = 5;
const DESCRIPTOR_MAX = 22;

/** The account's prefix, an asterisk and a space precede the suffix of a card. */
const PREFIX_MAX = 10;
const SEPARATOR = 2;

/**
 * Maps the text for the buyer's statement. For a card the text is only a suffix: Stripe refuses a whole text. A text that Stripe
 * would refuse is cut or left out, because no payment should fail for it.
 */
export function statementOf(
  descriptor: StatementDescriptor | null,
  isCard: boolean,
  credentials: Credentials,
): { statement_descriptor_suffix?: string; statement_descriptor?: string } {
  const max = isCard ? suffixMaxOf(credentials) : DESCRIPTOR_MAX;
  const text = statementText(descriptor?.name ?? '', REFUSED, max);
  if (text === null) return {};
  if (isCard) return { statement_descriptor_suffix: text };
  return text.length < DESCRIPTOR_MIN ? {} : { statement_descriptor: text };
}

/** Returns the room that the prefix leaves. An unknown prefix counts as the longest that Stripe allows. */
function suffixMaxOf({ statement_prefix: prefix }: Credentials): number {
  const length = prefix?.trim().length || PREFIX_MAX;
  return DESCRIPTOR_MAX - Math.min(length, PREFIX_MAX) - SEPARATOR;
}
