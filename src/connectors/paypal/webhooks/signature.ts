import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { NamedMaterial, WebhookRequest } from '../../door.ts';
import { readPublicRoots, signerOf, type Trust } from './certificate.ts';

/** The certificates with which PayPal signs in one environment. */
export type PayPalSigning = Trust & {
  /** The origins at which PayPal publishes the certificates. */
  readonly origins: readonly string[];
};

export type PayPalSignings = Readonly<Record<WebhookRequest['environment'], PayPalSigning>>;

const LIVE_SIGNER = 'messageverificationcerts.paypal.com';

export const PAYPAL_SIGNINGS: PayPalSignings = {
  production: {
    origins: ['https://api.paypal.com', 'https://api-m.paypal.com'],
    signers: [LIVE_SIGNER],
    roots: readPublicRoots,
  },
  sandbox: {
    origins: ['https://api.sandbox.paypal.com', 'https://api-m.sandbox.paypal.com'],
    signers: ['messageverificationcerts.sandbox.paypal.com', LIVE_SIGNER],
    roots: readPublicRoots,
  },
};

/** Names the certificate of a webhook. An address that is not PayPal's names no host, and nothing is fetched. */
export function certificateOf(
  { headers, environment }: Pick<WebhookRequest, 'headers' | 'environment'>,
  signings: PayPalSignings,
): NamedMaterial | null {
  const url = headers['paypal-cert-url'];
  if (url === undefined) return null;
  return { url, hosts: isOfPayPal(url, signings[environment]) ? [URL.parse(url)?.host ?? ''] : [] };
}

/** The path below which PayPal publishes certificates, with the name of one. */
const PATH = /^\/v1\/notifications\/certs\/[\w-]{1,200}$/;

function isOfPayPal(text: string, { origins }: PayPalSigning): boolean {
  const url = URL.parse(text);
  // The comparison with the parsed address excludes a user, a query and every other way of writing.
  return (
    url !== null &&
    origins.includes(url.origin) &&
    PATH.test(url.pathname) &&
    text === url.origin + url.pathname
  );
}

/**
 * The greatest age of a signature. PayPal repeats a webhook for three days, and a repeat has the signature of the first. An older
 * webhook may be a replayed one.
 */
const AGE_MAX_MS = 4 * 24 * 3_600_000;

/** The most by which PayPal's clock may be ahead of ours. */
const AHEAD_MAX_MS = 10 * 60_000;

/**
 * Returns the reason for which a webhook is refused. Null if PayPal signed the bytes of the webhook for the registration of this
 * payment service. Without the id of the registration, nothing is genuine.
 */
export function refusalOfSignature(
  request: WebhookRequest,
  signings: PayPalSignings,
): 'bad_signature' | 'untrusted_certificate' | null {
  const { headers, rawBody, credentials, environment, material, now } = request;
  const {
    'paypal-transmission-id': id = '',
    'paypal-transmission-time': time = '',
    'paypal-transmission-sig': signature = '',
    'paypal-auth-algo': algorithm,
    'paypal-cert-url': url = '',
  } = headers;
  const { webhook_id: webhookId = '' } = credentials;
  const signing = signings[environment];
  const isComplete = webhookId !== '' && id !== '' && signature !== '' && algorithm === 'SHA256withRSA';
  if (!isComplete || !isRecent(time, now) || !isOfPayPal(url, signing)) return 'bad_signature';
  const signer = signerOf(material ?? '', signing, now);
  const text = Buffer.from(`${id}|${time}|${webhookId}|${crc32(rawBody)}`);
  if (!signer || !verify('sha256', text, signer.key, Buffer.from(signature, 'base64')))
    return 'bad_signature';
  return signer.isTrusted ? null : 'untrusted_certificate';
}

function isRecent(time: string, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(time);
  return ageMs <= AGE_MAX_MS && ageMs >= -AHEAD_MAX_MS;
}
