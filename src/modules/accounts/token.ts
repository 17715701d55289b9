import { decodeProtectedHeader } from 'jose';
import { z } from 'zod';

/** The claims of a token with a valid signature. */
export type Claims = {
  /** The thumbprint of the key that signed the token. */
  readonly kid: string;
  readonly scopes: readonly string[];
  /** The only merchant account of the token. Null: the accounts of its key. */
  readonly merchantAccountId: string | null;
  readonly expiresAt: Date;
};

/** The largest accepted difference between the clock of a token's issuer and ours, in seconds. */
export const CLOCK_TOLERANCE_S = 30;

/** The longest lifetime of a token. A longer one is refused, because it is as dangerous as a password. */
export const LIFETIME_MAX_S = 24 * 3600;

/** The claims that a token must have. */
export const REQUIRED_CLAIMS = ['iss', 'nbf', 'exp', 'jti', 'scopes'];

/** The claim that limits a token to one merchant account. */
export const MERCHANT_ACCOUNT_CLAIM = 'merchant_account_id';

/**
 * Reads the thumbprint of the key and the algorithm from the header. Null for a header that is not of an access token.
 * Ignores a key or its address in the header (`jwk`, `jku`, `x5c`, `x5u`), because keys come from the database.
 */
export function readHeader(token: string): { readonly kid: string; readonly alg: string } | null {
  try {
    const parsed = headerSchema.safeParse(decodeProtectedHeader(token));
    return parsed.success ? parsed.data : null;
  } catch {
    // The library throws for a text without three parts, invalid base64url and invalid JSON.
    return null;
  }
}

const headerSchema = z.object({
  alg: z.string(),
  /** A SHA-256 digest in base64url. Any other text names no key and does not access the database. */
  kid: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** The types of RFC 9068 and RFC 7519. A token for another purpose is not accepted as an access token. */
  typ: z
    .string()
    .regex(/^(application\/)?(at\+)?jwt$/i)
    .optional(),
});

/** Reads the claims of a payload with a valid signature and valid times. Null when a claim is invalid. */
export function readClaims(kid: string, payload: unknown, now: Date): Claims | null {
  const parsed = claimsSchema.safeParse(payload);
  if (!parsed.success) return null;
  const { nbf, exp, iat = nbf, scopes, [MERCHANT_ACCOUNT_CLAIM]: merchantAccountId = null } = parsed.data;
  const lifetime = exp - Math.min(nbf, iat);
  if (lifetime <= 0 || lifetime > LIFETIME_MAX_S) return null;
  if (iat > now.getTime() / 1000 + CLOCK_TOLERANCE_S) return null;
  return { kid, scopes, merchantAccountId, expiresAt: new Date(exp * 1000) };
}

const name = z.string().min(1).max(255);

const claimsSchema = z.object({
  iss: name,
  jti: name,
  nbf: z.number(),
  exp: z.number(),
  iat: z.number().optional(),
  scopes: z.array(z.string()).max(200),
  [MERCHANT_ACCOUNT_CLAIM]: z.string().optional(),
});

/** Returns true if a token has expired, after the clock tolerance. */
export const isOver = ({ expiresAt }: Claims, now: Date): boolean =>
  expiresAt.getTime() + CLOCK_TOLERANCE_S * 1000 <= now.getTime();
