import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** The signature algorithms of tokens. */
export type ApiKeyAlgorithm = 'es256' | 'es512' | 'eddsa' | 'rs512';

/** The `alg` of a token's header for each algorithm. The service accepts no other. */
export const JOSE_ALGORITHM: Readonly<Record<ApiKeyAlgorithm, string>> = {
  es256: 'ES256',
  es512: 'ES512',
  eddsa: 'EdDSA',
  rs512: 'RS512',
};

/** A public key. */
export type PublicKey = { readonly algorithm: ApiKeyAlgorithm; readonly jwk: JWK };

/** A key that the service generated, with the private key as PKCS #8 PEM. The private key must not be stored. */
export type NewKey = PublicKey & { readonly privateKeyPem: string };

/** Returns the RFC 7638 thumbprint: SHA-256 in base64url. */
export const thumbprintOf = ({ jwk }: PublicKey): Promise<string> => calculateJwkThumbprint(jwk, 'sha256');

/** Generates a key pair. RSA takes some tenths of a second, outside the main thread. */
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
  // 3072 bits are as strong as the smallest curve here (128 bits, NIST SP 800-57).
  rs512: () => generate('rsa', { modulusLength: 3072 }),
} as const;

/** Returns the public key of a private key in PKCS #8 PEM. Throws for a key that cannot sign tokens. */
export function publicHalf(privateKeyPem: string): PublicKey {
  const key = createPublicKey(createPrivateKey(privateKeyPem));
  const algorithm = algorithmOf(key);
  if (typeof algorithm !== 'string') throw new Error(algorithm.refused);
  return { algorithm, jwk: toJwk(key) };
}

/** Reads a public key in SPKI PEM, or returns a sentence that says why the key is refused. */
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

/** The longest PEM text. An RSA key of 8192 bits has some 1500 characters. */
const PEM_LENGTH_MAX = 4_000;

function parseSpki(pem: string): KeyObject | null {
  // Without this check, the parser also accepts certificates and PKCS #1.
  if (!/^\s*-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]+-----END PUBLIC KEY-----\s*$/.test(pem)) return null;
  try {
    return createPublicKey({ key: pem.trim(), format: 'pem' });
  } catch {
    // The text is not the DER of a key, or a point is not on its curve.
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
      // A longer key makes each verification slow. With the exponent 1 anybody could sign (FIPS 186-5 requires 65537 or
      // more).
      if (modulusLength < 2048 || modulusLength > 8192)
        return { refused: 'An RSA key must have 2048 to 8192 bits.' };
      if (publicExponent < 65_537n) return { refused: 'The exponent of an RSA key must be 65537 or more.' };
      return 'rs512';
    default:
      return { refused: 'Must be a key for ES256, ES512, EdDSA (Ed25519) or RS512.' };
  }
}

const toJwk = (key: KeyObject): JWK => key.export({ format: 'jwk' });
