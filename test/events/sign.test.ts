import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  secretText,
  SECRET_BYTES,
  signatureHeader,
  signingKey,
} from '../../src/modules/events/endpoints/sign.ts';

const message = { id: '0199-a', timestamp: 1_767_225_600, body: '{"sequence":1,"name":"ünï 😀"}' };

describe('signatures', () => {
  it('are those of Standard Webhooks', () => {
    const secret = secretText(randomBytes(SECRET_BYTES));

    const expected = new Webhook(secret).sign(message.id, new Date(message.timestamp * 1_000), message.body);

    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(signatureHeader(message, [signingKey(secret)])).toBe(expected);
  });

  it('are one for each live secret, so that either verifies', () => {
    const now = { ...message, timestamp: Math.floor(Date.now() / 1_000) };
    const secrets = [secretText(randomBytes(SECRET_BYTES)), secretText(randomBytes(SECRET_BYTES))];
    const headers = {
      'webhook-id': now.id,
      'webhook-timestamp': String(now.timestamp),
      'webhook-signature': signatureHeader(now, secrets.map(signingKey)),
    };

    for (const secret of secrets)
      expect(new Webhook(secret).verify(now.body, headers)).toEqual(JSON.parse(now.body));
    expect(() => new Webhook(secretText(randomBytes(SECRET_BYTES))).verify(now.body, headers)).toThrow();
    expect(() => new Webhook(secrets[0] ?? '').verify(`${now.body} `, headers)).toThrow();
  });
});
