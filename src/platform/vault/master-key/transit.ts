import { z } from 'zod';
import type { HttpClient } from '../../http/http-client.ts';
import { OperatorError } from '../../operator-error.ts';
import { lengthPrefixed } from '../aead.ts';
import { changedKey, type KeyProvider } from './key-provider.ts';

/** A key in a transit engine. */
export type TransitSettings = {
  readonly http: HttpClient;
  /** The address of the service, without a path. */
  readonly url: string;
  /** The token needs the right to `encrypt` and `decrypt` with the key, and no other. */
  readonly token: string;
  /** The engine's mount and the key's name, such as `transit/paygraph`. */
  readonly key: string;
};

/**
 * Creates a provider for a key-encryption key that never leaves an external service. The service has the transit API of
 * HashiCorp Vault, which OpenBao has too: `POST /v1/<mount>/encrypt/<key>` and `…/decrypt/<key>`.
 *
 * The place is sent as associated data, so the key must be an AEAD key, such as the default aes256-gcm96. Each call has
 * five seconds. A failure is thrown and not retried here, because the next use of the data key retries it.
 */
export function transitKeyProvider(settings: TransitSettings): KeyProvider {
  const { key } = settings;
  const wrap: KeyProvider['wrap'] = async (dataKey, place) => {
    const request = { plaintext: dataKey.toString('base64'), associated_data: associated(place) };
    const { ciphertext } = ENCRYPTED.parse(await call(settings, 'encrypt', request));
    return { keyId: `${prefixOf(key)}${VERSION.exec(ciphertext)?.[1] ?? ''}`, wrapped: ciphertext };
  };
  return {
    // Other calls that return the version need more rights.
    currentKeyId: async () => (await wrap(Buffer.alloc(32), ['which key'])).keyId,
    holds: (keyId) => keyId.startsWith(prefixOf(key)),
    wrap,
    unwrap: async ({ wrapped }, place) => {
      const request = { ciphertext: wrapped, associated_data: associated(place) };
      const { plaintext } = DECRYPTED.parse(await call(settings, 'decrypt', request));
      return Buffer.from(plaintext, 'base64');
    },
  };
}

const prefixOf = (key: string): string => `transit:${key}:`;
const associated = (place: readonly string[]): string => lengthPrefixed(place).toString('base64');

/** The service puts its key's version first: `vault:v3:…`. */
const VERSION = /^[^:]+:(v\d+):/;
const ENCRYPTED = z.object({ ciphertext: z.string().regex(VERSION) });
const DECRYPTED = z.object({ plaintext: z.base64() });
const REPLY = z.object({ data: z.unknown() });

const DEADLINE_MS = 5_000;
const REPLY_BYTES_MAX = 64 * 1024;

/**
 * Returns the `data` of a reply. The service's error text is not repeated, because it may hold parts of the request.
 */
async function call(
  { http, url, token, key }: TransitSettings,
  verb: 'encrypt' | 'decrypt',
  body: Readonly<Record<string, string>>,
): Promise<unknown> {
  const cut = key.lastIndexOf('/');
  const answer = await http.send({
    method: 'POST',
    url: `${url.replace(/\/$/, '')}/v1/${key.slice(0, cut)}/${verb}/${key.slice(cut + 1)}`,
    headers: { 'content-type': 'application/json', 'x-vault-token': token },
    body: JSON.stringify(body),
    deadlineMs: DEADLINE_MS,
    replyBytesMax: REPLY_BYTES_MAX,
    pool: 'transit',
    repeatable: true,
  });
  if ('failure' in answer) {
    throw new OperatorError(
      `The key service did not answer (${answer.failure.kind}). See PAYGRAPH_TRANSIT_URL.`,
    );
  }
  const { status, body: text } = answer.reply;
  if (status === 200) return REPLY.parse(JSON.parse(text)).data;
  if (status === 400 && verb === 'decrypt') throw changedKey();
  throw new OperatorError(
    `The key service refused to ${verb} with status ${status}. See PAYGRAPH_TRANSIT_TOKEN and PAYGRAPH_TRANSIT_KEY.`,
  );
}
