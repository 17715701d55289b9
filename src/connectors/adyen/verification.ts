import { parseJson, type CallContext, type Verification } from '../door.ts';
import { errorOf, exchange } from './exchange.ts';
import type { AdyenHosts } from './hosts.ts';
import { hmacKeysOf } from './webhooks/notification.ts';
import type { AdyenMethods } from './request-shapes.ts';

/**
 * Asks Adyen for the payment methods of the merchant account, which needs a valid key with the role for payments. Fields that
 * Adyen cannot check are checked here first.
 */
export async function verifyAdyen(hosts: AdyenHosts, context: CallContext): Promise<Verification> {
  const { credentials } = context;
  const addresses = hosts(context);
  if (!addresses) return refused(LIVE_PREFIX);
  if (!hmacKeysOf(credentials['hmac_key'])) return refused(HMAC_KEY);
  const merchantAccount = credentials['merchant_account'] ?? '';
  const body: AdyenMethods = { merchantAccount };
  const exchanged = await exchange(context, { url: `${addresses.checkout}/paymentMethods`, body });
  if ('unknown' in exchanged) return exchanged.unknown;
  return verificationOf(exchanged.status, parseJson(exchanged.text));
}

const refused = (reason: string): Verification => ({ kind: 'refused', reason });

const LIVE_PREFIX =
  'Give live_prefix, the prefix of the live endpoints. The Customer Area shows it under Developers, API URLs.';

const HMAC_KEY =
  'hmac_key must be the HMAC key of the webhook in hexadecimal digits, or up to four such keys.';

/** The reasons of a refusal, by HTTP status. */
const REASONS: Readonly<Record<number, string>> = {
  401: 'Adyen refuses the API key. The test and the live environment have different keys.',
  403: 'The API key has no permission for payments of this merchant account.',
  422: 'Adyen refuses the merchant account.',
};

/** Maps Adyen's answer to a verification. Only an explicit refusal of the key or the account is a refusal. */
export function verificationOf(status: number, given: unknown): Verification {
  if (status === 200)
    return given !== null && typeof given === 'object'
      ? { kind: 'accepted' }
      : { kind: 'unknown', cause: 'unreadable' };
  const error = errorOf(given);
  const reason = REASONS[status];
  const isOfAccount = status !== 422 || ACCOUNT_ERRORS.has(error?.errorCode ?? '');
  if (reason === undefined || !isOfAccount)
    return { kind: 'unknown', cause: status >= 500 ? 'server_error' : 'unreadable' };
  return refused(error?.message === undefined ? reason : `${reason} Adyen says: ${error.message}`);
}

/** The errors that say that the merchant account does not exist, or that the key may not use it. */
const ACCOUNT_ERRORS: ReadonlySet<string> = new Set(['901', '010', '10']);
