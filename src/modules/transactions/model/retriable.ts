import type { ConnectionOptions } from './details.ts';

/**
 * The declines after which another payment service may still approve (facts 7.3: kind D, column R). After any other
 * decline the issuer or the card is the reason. Another attempt then only costs the merchant's standing with the
 * scheme.
 */
export const retriableDeclines = [
  'incorrect_country',
  'incorrect_currency',
  'issuer_decline',
  'other_decline',
  'service_decline',
] as const;

/** True when the payment may go to the next payment service after a decline with this normalised code. */
export const isRetriableDecline = (code: string): boolean => codes.has(code);

const codes: ReadonlySet<string> = new Set(retriableDeclines);

/** True when the merchant forbids further attempts after the services of a definition (facts 3.2, `skip_retry`). */
export const skipsRetry = (options: ConnectionOptions | null, definitionId: string): boolean =>
  options?.[definitionId]?.['skip_retry'] === true;
