import { isObject, parseJson } from '../../kernel/json.ts';
import type { HttpClient } from '../../platform/http/http-client.ts';
import type { ApplePayMerchant } from './apple-pay.ts';

/** A request for a session of Apple Pay. */
export type ApplePaySessionRequest = {
  /** The address that the browser got from Apple. Anybody can send any address. */
  readonly validationUrl: string;
  /** The name of the merchant on the sheet of Apple Pay. Apple takes 64 characters. */
  readonly displayName: string;
  /** The host of the page, which the merchant has registered at Apple. */
  readonly host: string;
  readonly deadlineMs: number;
};

/**
 * Apple's answer. A session moves no money.
 *
 * - `opened`: the JSON text of an object, for the browser alone. It can be used once, within five minutes.
 * - `foreign`: the address is not one of Apple's, and nothing was sent.
 * - `refused`: Apple answered with an error.
 * - `unknown`: Apple did not answer, or sent no object.
 */
export type ApplePaySession =
  | { readonly kind: 'opened'; readonly session: string }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unknown'; readonly cause: string };

/** Asks Apple for a session in the name of a merchant, who is known by the certificate of the connection. */
export async function requestApplePaySession(
  http: HttpClient,
  { merchantId, identity }: ApplePayMerchant,
  { validationUrl, displayName, host, deadlineMs }: ApplePaySessionRequest,
): Promise<ApplePaySession> {
  const url = gatewayUrlOf(validationUrl);
  if (url === null) return { kind: 'foreign' };
  const sent = await http.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      merchantIdentifier: merchantId,
      displayName: Array.from(displayName).slice(0, NAME_MAX).join(''),
      initiative: 'web',
      initiativeContext: host,
    }),
    ...{ deadlineMs, replyBytesMax: SESSION_BYTES_MAX, pool: 'apple-pay', identity },
  });
  if ('failure' in sent) return { kind: 'unknown', cause: sent.failure.kind };
  const { status, body } = sent.reply;
  if (status !== 200) return { kind: 'refused', status };
  return isObject(parseJson(body))
    ? { kind: 'opened', session: body }
    : { kind: 'unknown', cause: 'unreadable' };
}

const NAME_MAX = 64;

/** A session has about 5 kB. */
const SESSION_BYTES_MAX = 64 * 1024;

/**
 * The hosts of Apple's gateways, for production, tests and China. All of them belong to Apple.
 *
 * https://developer.apple.com/documentation/applepayontheweb/setting-up-your-server
 */
const GATEWAY =
  /^(?:apple-pay-gateway(?:-cert|-(?:nc|pr)-pod\d)?|cn-apple-pay-gateway(?:-cert|-(?:sh|tj)-pod\d)?)\.apple\.com$/;

/** Returns an address of Apple's gateway in its normal form. Null for any other address. The caller's own text is never called. */
export function gatewayUrlOf(text: string): string | null {
  const url = URL.parse(text);
  if (!url || url.protocol !== 'https:' || url.port !== '' || !GATEWAY.test(url.hostname)) return null;
  if (url.username !== '' || url.password !== '') return null;
  return /^\/paymentservices\/\w+$/.test(url.pathname) ? `https://${url.hostname}${url.pathname}` : null;
}
