import type { ConnectionOptions } from './details.ts';

/**
 * The declines after which another payment service may still say yes (facts 7.3: kind D, column R). After any other
 * decline the issuer or the card is the reason, and asking elsewhere only costs the merchant standing with the scheme.
 */
export const retriableDeclines = [
  'incorrect_country',
  'incorrect_currency',
  'issuer_decline',
  'other_decline',
  'service_decline',
] as const;

/** Whether a decline with this normalised code lets the payment go on to the next payment service. */
export const isRetriableDecline = (code: string): boolean => codes.has(code);

const codes: ReadonlySet<string> = new Set(retriableDeclines);

/** Whether the merchant told the services of a definition to be the last that are asked (facts 3.2, `skip_retry`). */
export const skipsRetry = (options: ConnectionOptions | null, definitionId: string): boolean =>
  options?.[definitionId]?.['skip_retry'] === true;
