import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** How tokens of a key are signed. */
export type ApiKeyAlgorithm = 'es256' | 'es512' | 'eddsa' | 'rs512';

/** The `alg` in a token's header for each algorithm. Nothing else is ever accepted. */
export const JOSE_ALGORITHM: Readonly<Record<ApiKeyAlgorithm, string>> = {
  es256: 'ES256',
  es512: 'ES512',
  eddsa: 'EdDSA',
  rs512: 'RS512',
};

/** The public half of a key. */
export type PublicKey = { readonly algorithm: ApiKeyAlgorithm; readonly jwk: JWK };

/** A key that was made here: its private half as PKCS #8 PEM. It must not be stored. */
export type NewKey = PublicKey & { readonly privateKeyPem: string };

/** RFC 7638, SHA-256, base64url. */
export const thumbprintOf = ({ jwk }: PublicKey): Promise<string> => calculateJwkThumbprint(jwk, 'sha256');

/** Makes a key pair; an RSA one takes some tenths of a second, off the main thread. */
export async function generateKey(algorithm: ApiKeyAlgorithm): Promise<NewKey> {
  const { publicKey, privateKey } = await generators[algorithm]();
  return {
    algorithm,
    jwk: toJwk(publicKey),
    privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

const generate = promisify(generateKeyPair);

const generators = {
  es256: () => generate('ec', { namedCurve: 'prime256v1' }),
  es512: () => generate('ec', { namedCurve: 'secp521r1' }),
  eddsa: () => generate('ed25519'),
  // As strong as the smallest curve here (128 bits, NIST SP 800-57).
  rs512: () => generate('rsa', { modulusLength: 3072 }),
} as const;

/** The public half of a private key in PKCS #8 PEM. Throws when it is no key that tokens can be signed with. */
export function publicHalf(privateKeyPem: string): PublicKey {
  const key = createPublicKey(createPrivateKey(privateKeyPem));
  const algorithm = algorithmOf(key);
  if (typeof algorithm !== 'string') throw new Error(algorithm.refused);
  return { algorithm, jwk: toJwk(key) };
}

/** Reads a public key in SPKI PEM, or says in a sentence why it is not taken. */
export function readPublicKey(pem: string): PublicKey | { readonly refused: string } {
  if (pem.length > PEM_LENGTH_MAX) return { refused: `Must be at most ${PEM_LENGTH_MAX} characters.` };
  if (pem.includes('PRIVATE KEY')) {
    return {
      refused:
        'This is a private key. Keep it to yourself, replace it if others saw it, and give a public one.',
    };
  }
  const key = parseSpki(pem);
  if (!key) return { refused: 'Must be a public key as PEM (SPKI): -----BEGIN PUBLIC KEY-----.' };
  const algorithm = algorithmOf(key);
  return typeof algorithm === 'string' ? { algorithm, jwk: toJwk(key) } : algorithm;
}

/** An RSA key of 8192 bits has some 1500. */
const PEM_LENGTH_MAX = 4_000;

function parseSpki(pem: string): KeyObject | null {
  // Certificates and PKCS #1 would be read as well.
  if (!/^\s*-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]+-----END PUBLIC KEY-----\s*$/.test(pem)) return null;
  try {
    return createPublicKey({ key: pem.trim(), format: 'pem' });
  } catch {
    // Not the DER of a key, or a point that is not on its curve.
    return null;
  }
}

function algorithmOf(key: KeyObject): ApiKeyAlgorithm | { readonly refused: string } {
  const { namedCurve, modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ec':
      if (namedCurve === 'prime256v1') return 'es256';
      if (namedCurve === 'secp521r1') return 'es512';
      return { refused: 'The curve must be P-256 or P-521.' };
    case 'ed25519':
      return 'eddsa';
    case 'rsa':
      // Longer ones make each verification slow; with the exponent 1 anybody could sign (FIPS 186-5 wants 65537 or more).
      if (modulusLength < 2048 || modulusLength > 8192)
        return { refused: 'An RSA key must have 2048 to 8192 bits.' };
      if (publicExponent < 65_537n) return { refused: 'The exponent of an RSA key must be 65537 or more.' };
      return 'rs512';
    default:
      return { refused: 'Must be a key for ES256, ES512, EdDSA (Ed25519) or RS512.' };
  }
}

const toJwk = (key: KeyObject): JWK => key.export({ format: 'jwk' });
