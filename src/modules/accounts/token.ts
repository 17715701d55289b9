import { decodeProtectedHeader } from 'jose';
import { z } from 'zod';

/** What a token says, once its signature is known to be right. */
export type Claims = {
  /** Thumbprint of the key that signed it. */
  readonly kid: string;
  readonly scopes: readonly string[];
  /** The only merchant account that it may be used for; null: those of its key. */
  readonly merchantAccountId: string | null;
  readonly expiresAt: Date;
};

/** How far the clock of whoever makes tokens may be from ours. */
export const CLOCK_TOLERANCE_S = 30;

/** A token that lives longer is as good as a password: refused. */
export const LIFETIME_MAX_S = 24 * 3600;

/** Claims that a token must have. */
export const REQUIRED_CLAIMS = ['iss', 'nbf', 'exp', 'jti', 'scopes'];

/** The claim that ties a token to one merchant account. */
export const MERCHANT_ACCOUNT_CLAIM = 'merchant_account_id';

/**
 * Reads what the header says of the key: its thumbprint and the algorithm. Null when it is not the header of an access
 * token. A key or an address of one in the header (`jwk`, `jku`, `x5c`, `x5u`) is not looked at: keys come from the database.
 */
export function readHeader(token: string): { readonly kid: string; readonly alg: string } | null {
  try {
    const parsed = headerSchema.safeParse(decodeProtectedHeader(token));
    return parsed.success ? parsed.data : null;
  } catch {
    // Not three parts, not base64url, not JSON: the library throws for all of them.
    return null;
  }
}

const headerSchema = z.object({
  alg: z.string(),
  /** A SHA-256 in base64url; anything else names no key and does not reach the database. */
  kid: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** RFC 9068 and RFC 7519; so that a token made for something else is not taken for an access token. */
  typ: z
    .string()
    .regex(/^(application\/)?(at\+)?jwt$/i)
    .optional(),
});

/** Reads the claims of a payload whose signature and times are right; null when one of them is not what it must be. */
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

/** Whether a token's time is over, the tolerance included. */
export const isOver = ({ expiresAt }: Claims, now: Date): boolean =>
  expiresAt.getTime() + CLOCK_TOLERANCE_S * 1000 <= now.getTime();
