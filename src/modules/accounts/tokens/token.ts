import { decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { holdsLoneCardNumber } from '../../../kernel/account-numbers/lone-card-number.ts';

/** The claims of a token with a valid signature. */
export type Claims = {
  /** The thumbprint of the key that signed the token. */
  readonly kid: string;
  readonly scopes: readonly string[];
  /** The only merchant account of the token. Null: the accounts of its key. */
  readonly merchantAccountId: string | null;
  readonly expiresAt: Date;
  /** The moment of issue (`iat`). Null without the claim. */
  readonly issuedAt: Date | null;
  /** The installations that the token is for (`aud`). Null without the claim: any installation. */
  readonly audience: readonly string[] | null;
  /** The person or program that the token is for (RFC 7519). Null without the claim. */
  readonly subject: string | null;
  /** The party that acts for the subject (RFC 8693), as JSON text. Null without the claim. */
  readonly act: string | null;
};

/** The largest accepted difference between the clock of a token's issuer and ours, in seconds. */
export const CLOCK_TOLERANCE_S = 30;

/** The longest lifetime of a token. A longer one is refused, because it is as dangerous as a password. */
export const LIFETIME_MAX_S = 24 * 3600;

/** The claims that a token must have, beside its scopes. */
export const REQUIRED_CLAIMS = ['iss', 'nbf', 'exp', 'jti'];

/** The most scopes of a token. */
const SCOPES_MAX = 200;

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
  const { nbf, exp, iat = nbf, aud, [MERCHANT_ACCOUNT_CLAIM]: merchantAccountId = null } = parsed.data;
  const scopes = parsed.data.scopes ?? parsed.data.scope;
  if (!scopes) return null;
  const lifetime = exp - Math.min(nbf, iat);
  if (lifetime <= 0 || lifetime > LIFETIME_MAX_S) return null;
  if (iat > now.getTime() / 1000 + CLOCK_TOLERANCE_S) return null;
  const { sub: subject = null, act } = parsed.data;
  return {
    kid,
    scopes,
    merchantAccountId,
    expiresAt: new Date(exp * 1000),
    issuedAt: parsed.data.iat === undefined ? null : new Date(iat * 1000),
    audience: aud === undefined ? null : [aud].flat(),
    subject,
    act: actText(act),
  };
}

/** The longest `act` in the audit log. A longer one is cut off, so that no token fails for it. */
const ACT_LENGTH_MAX = 1_000;

const actText = (act: unknown): string | null =>
  act == null ? null : storable(JSON.stringify(act), ACT_LENGTH_MAX);

/**
 * Returns the start of a text. Postgres stores no U+0000 and no half of a surrogate pair. A text with a card number is
 * hidden.
 */
const storable = (text: string, lengthMax: number): string =>
  holdsLoneCardNumber(text) ? '(hidden)' : text.replaceAll('\0', '').slice(0, lengthMax).toWellFormed();

const name = z.string().min(1).max(255);

const claimsSchema = z.object({
  iss: name,
  jti: name,
  nbf: z.number(),
  exp: z.number(),
  iat: z.number().optional(),
  aud: z.union([z.string(), z.array(z.string()).max(100)]).optional(),
  /** Counts before `scope`. Identity providers write words such as `openid` into that claim. */
  scopes: z.array(z.string()).max(SCOPES_MAX).optional(),
  /** The claim of RFC 8693: scopes with spaces between. */
  scope: z
    .string()
    .transform((text) => text.split(' ').filter(Boolean))
    .pipe(z.array(z.string()).max(SCOPES_MAX))
    .optional(),
  [MERCHANT_ACCOUNT_CLAIM]: z.string().optional(),
  // For the audit log alone, so any value is accepted.
  sub: z
    .string()
    .transform((text) => storable(text, 255))
    .optional()
    .catch(undefined),
  act: z.unknown().optional(),
});

/** Returns true if a token is for one of the audiences, or for any. A slash at the end of an address changes nothing. */
export const isFor = ({ audience }: Pick<Claims, 'audience'>, ours: readonly string[]): boolean =>
  audience === null || audience.some((each) => ours.some((one) => withoutSlash(one) === withoutSlash(each)));

const withoutSlash = (address: string): string => address.replace(/\/$/, '');

/** Returns true if a token has expired, after the clock tolerance. */
export const isOver = ({ expiresAt }: Claims, now: Date): boolean =>
  expiresAt.getTime() + CLOCK_TOLERANCE_S * 1000 <= now.getTime();
