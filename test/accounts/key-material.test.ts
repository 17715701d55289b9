import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  generateKey,
  publicHalf,
  readPublicKey,
  thumbprintOf,
} from '../../src/modules/accounts/model/key-material.ts';

const spki = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const rsa = (modulusLength: number, publicExponent?: number) =>
  generateKeyPairSync('rsa', { modulusLength, ...(publicExponent && { publicExponent }) });

describe.each(['es256', 'es512', 'eddsa', 'rs512'] as const)('a generated key for %s', (algorithm) => {
  test('is known by its public half in PEM', async () => {
    const made = await generateKey(algorithm);
    expect(made.privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(
      Object.keys(made.jwk).filter((member) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].includes(member)),
    ).toEqual([]);
    const given = readPublicKey(spki(createPublicKey(made.privateKeyPem)));
    expect(given).toEqual({ algorithm, jwk: made.jwk });
    expect(publicHalf(made.privateKeyPem)).toEqual({ algorithm, jwk: made.jwk });
  });
});

test('a thumbprint is that of RFC 7638', async () => {
  // Section 3.1 of the RFC.
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs' +
    'tn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbI' +
    'SD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  const key = {
    algorithm: 'rs512',
    jwk: { kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' },
  } as const;
  expect(await thumbprintOf(key)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
});

const PEM = 'Must be a public key as PEM (SPKI): -----BEGIN PUBLIC KEY-----.';
const PRIVATE =
  'This is a private key. Keep it to yourself, replace it if others saw it, and give a public one.';

test.each<[what: string, refused: string, pem: () => string]>([
  ['nothing', PEM, () => ''],
  ['a word', PEM, () => 'key'],
  ['an empty PEM', PEM, () => '-----BEGIN PUBLIC KEY-----\n\n-----END PUBLIC KEY-----'],
  ['a PEM of nonsense', PEM, () => '-----BEGIN PUBLIC KEY-----\nTm9uc2Vuc2U=\n-----END PUBLIC KEY-----'],
  ['two keys', PEM, () => spki(ec('P-256').publicKey).repeat(2)],
  ['a certificate', PEM, () => '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
  [
    'an RSA key in PKCS #1',
    PEM,
    () => rsa(2048).publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  ],
  ['a point that is not on its curve', PEM, offCurve],
  ['a text without end', 'Must be at most 4000 characters.', () => 'x'.repeat(4_001)],
  [
    'a private key',
    PRIVATE,
    () => ec('P-521').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ],
  [
    'a private key in SEC 1',
    PRIVATE,
    () => ec('P-521').privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  ],
  ['a key on P-384', 'The curve must be P-256 or P-521.', () => spki(ec('P-384').publicKey)],
  ['a key on secp256k1', 'The curve must be P-256 or P-521.', () => spki(ec('secp256k1').publicKey)],
  ['an RSA key of 1024 bits', 'An RSA key must have 2048 to 8192 bits.', () => spki(rsa(1024).publicKey)],
  ['an RSA key of 2047 bits', 'An RSA key must have 2048 to 8192 bits.', () => spki(rsa(2047).publicKey)],
  [
    'an RSA key with the exponent 3',
    'The exponent of an RSA key must be 65537 or more.',
    () => spki(rsa(2048, 3).publicKey),
  ],
  [
    'an RSA-PSS key',
    'Must be a key for ES256, ES512, EdDSA (Ed25519) or RS512.',
    () => spki(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey),
  ],
  [
    'an Ed448 key',
    'Must be a key for ES256, ES512, EdDSA (Ed25519) or RS512.',
    () => spki(generateKeyPairSync('ed448').publicKey),
  ],
  [
    'a key for encryption',
    'Must be a key for ES256, ES512, EdDSA (Ed25519) or RS512.',
    () => spki(generateKeyPairSync('x25519').publicKey),
  ],
])('a public key that is %s is refused', (_what, refused, pem) => {
  expect(readPublicKey(pem())).toEqual({ refused });
});

test('blank lines around a public key do not matter', () => {
  expect(readPublicKey(`\n  ${spki(ec('P-521').publicKey).replaceAll('\n', '\r\n')}\n`)).toMatchObject({
    algorithm: 'es512',
  });
});

function offCurve(): string {
  const der = ec('P-256').publicKey.export({ type: 'spki', format: 'der' });
  der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
  return `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----`;
}
