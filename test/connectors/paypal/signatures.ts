import { sign, verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DoubleEvent } from '../double-server.ts';
import { createChainKeys, issueChain, type ChainKeys, type TestChain } from '../../support/certificates.ts';
import type { Json } from './json.ts';
import { DAY_MS, textAt, wireAt, type PayPalEvent, type PayPalWorld } from './world.ts';

/** The host of the certificates with which PayPal signs. */
const HOST = 'messageverificationcerts.paypal.com';

// Making keys takes a moment, so the doubles of a process share theirs.
let sharedKeys: ChainKeys | null = null;

/** Signs webhooks with a certificate of a test authority. */
export type Signer = {
  readonly certUrl: string;
  /** The chain as the address of the certificate serves it, the leaf first. */
  chain(): string;
  /** The certificate of the test authority, which a test has to trust. */
  root(): string;
  sign(event: PayPalEvent): DoubleEvent;
  /** Checks the fields of a signature, as PayPal's own call does. */
  check(body: Json): boolean;
};

/** Returns the text that a signature is over. */
export const signedText = (of: {
  readonly id: string;
  readonly time: string;
  readonly webhookId: string;
  readonly body: string;
}): string => `${of.id}|${of.time}|${of.webhookId}|${crc32(of.body)}`;

export function createSigner(
  world: PayPalWorld,
  { webhookId, certBase }: { readonly webhookId: string; readonly certBase: string },
): Signer {
  let issued: TestChain | null = null;
  const certificates = (): TestChain => {
    const now = world.now().getTime();
    const validity = { from: new Date(now - DAY_MS), until: new Date(now + 3650 * DAY_MS) };
    sharedKeys ??= createChainKeys();
    issued ??= issueChain(HOST, validity, sharedKeys);
    return issued;
  };
  const certUrl = `${certBase}/v1/notifications/certs/CERT-${world.newId()}`;
  return {
    certUrl,
    chain: () => `${certificates().leaf}${certificates().intermediate}`,
    root: () => certificates().root,
    sign: (event) => {
      const body = JSON.stringify(event);
      const id = `transmission-${world.newId().toLowerCase()}`;
      const time = world.now().toISOString();
      const text = signedText({ id, time, webhookId, body });
      const headers = {
        ...{ 'content-type': 'application/json', 'paypal-transmission-id': id },
        ...{ 'paypal-transmission-time': time, 'paypal-auth-algo': 'SHA256withRSA' },
        'paypal-cert-url': certUrl,
        'paypal-transmission-sig': sign('sha256', Buffer.from(text), certificates().leafKey).toString(
          'base64',
        ),
      };
      return { id: event.id, type: event.event_type, headers, body };
    },
    check: (given) => {
      const field = (name: string): string => textAt(given, name) ?? '';
      const text = signedText({
        ...{ id: field('transmission_id'), time: field('transmission_time'), webhookId },
        body: JSON.stringify(wireAt(given, 'webhook_event')),
      });
      const { publicKey } = new X509Certificate(certificates().leaf);
      const signature = Buffer.from(field('transmission_sig'), 'base64');
      return (
        field('webhook_id') === webhookId &&
        field('cert_url') === certUrl &&
        verify('sha256', Buffer.from(text), publicKey, signature)
      );
    },
  };
}
