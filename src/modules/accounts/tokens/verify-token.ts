import { errors, importJWK, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { App, Viewer } from '../../../app.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { narrowScopes } from '../../../kernel/scope.ts';
import type { AccessToken } from '../model/access-token.ts';
import { isRevoked, isUsable } from '../model/api-key-pair.ts';
import { chooseMerchantAccount, forbid, NOT_THIS_ONE } from '../merchant-accounts/choose-merchant-account.ts';
import { JOSE_ALGORITHM } from '../model/key-material.ts';
import { findKey, recordUse } from '../api-keys/known-keys.ts';
import { cachePerDatabase } from '../model/cache-per-database.ts';
import { canAccess, type AccountAccess } from '../model/account-access.ts';
import type { Forbidden } from '../model/refusals.ts';
import { findMerchantAccountsWithin, type VerifyingKey } from '../store.ts';
import {
  CLOCK_TOLERANCE_S,
  isFor,
  isOver,
  readClaims,
  readHeader,
  REQUIRED_CLAIMS,
  type Claims,
} from './token.ts';

/** A token that identifies no caller. The reason is for the log. Clients see the same message for all reasons. */
export type Unauthenticated = {
  readonly kind: 'Unauthenticated';
  readonly reason: string;
  /** The id of the key that the token names. Null for a token without a readable header. */
  readonly keyId?: string | null;
};

/**
 * Identifies the key of a token and the merchant account of the request. `asked` names the account. Without `asked`,
 * the key's only account or `default` is chosen.
 *
 * The rights are the token's scopes, narrowed to the key's current scopes. A disabled, expired or changed key takes
 * effect within five seconds, also for tokens that were verified before. So does the revocation of all tokens issued
 * before a moment. A token with `aud` must name this installation.
 */
export async function verifyToken(
  app: App,
  token: AccessToken | undefined,
  requested: string | undefined,
): Promise<Result<Viewer, Unauthenticated | Forbidden>> {
  const verified = await verify(app, token);
  if (!verified.ok) return verified;
  const { claims, key } = verified.value;
  const kept = viewers.get(claims);
  const isKept = kept?.key === key && kept.requested === requested;
  const found = isKept ? ok(kept.viewer) : await findViewer(app, verified.value, requested);
  if (!found.ok) return found;
  if (!isKept) viewers.set(claims, { key, requested, viewer: found.value });
  await recordUse(app, key);
  return found;
}

/** The last caller that the claims of a token named. The next request usually names the same one, with the same key. */
const viewers = new WeakMap<Claims, Kept>();

type Kept = {
  readonly key: VerifyingKey;
  readonly requested: string | undefined;
  readonly viewer: Viewer;
};

async function findViewer(
  app: App,
  { claims, key }: Verified,
  requested: string | undefined,
): Promise<Result<Viewer, Forbidden>> {
  const access = narrowAccess(key.merchantAccountIds, claims);
  if (!access.ok) return access;
  const chosen = chooseMerchantAccount(access.value, requested);
  if (!chosen.ok) return chosen;
  if (!(await exists(app, chosen.value))) return forbid(NOT_THIS_ONE);
  return ok({
    merchantAccountId: chosen.value,
    scopes: narrowScopes(claims.scopes, key.scopes),
    apiKeyPairId: key.id,
    subject: claims.subject,
    act: claims.act,
    reachableMerchantAccountIds: access.value,
    tokenExpiresAt: key.expiresAt && key.expiresAt < claims.expiresAt ? key.expiresAt : claims.expiresAt,
  });
}

/** Returns true if this process verified the token before. The token may have expired or been revoked since. */
export const wasVerified = (app: App, { digest }: AccessToken): boolean =>
  digest !== null && cacheOf(app.db).claimsOf.has(digest);

type Verified = { readonly claims: Claims; readonly key: VerifyingKey };

/** Checks the token's signature once. Checks its key at every call. */
async function verify(app: App, token: AccessToken | undefined): Promise<Result<Verified, Unauthenticated>> {
  if (token === undefined) return unauthenticated('no bearer token');
  const { text, digest } = token;
  if (digest === null) return unauthenticated('too long');
  const { claimsOf } = cacheOf(app.db);
  const cached = claimsOf.get(digest);
  const header = cached ?? readHeader(text);
  if (!header) return unauthenticated('not an access token');
  const key = await findKey(app, header.kid);
  if (!key) return unauthenticated('unknown key', header.kid);
  if (!isUsable(key, app.clock.now())) return unauthenticated('key disabled or expired', header.kid);
  const claims = cached ?? (await checkSignature(app, text, key));
  if (typeof claims === 'string') return unauthenticated(claims, header.kid);
  if (isOver(claims, app.clock.now())) {
    claimsOf.delete(digest);
    return unauthenticated('expired', header.kid);
  }
  if (!cached) claimsOf.set(digest, claims);
  if (!isFor(claims, audiencesOf(app))) return unauthenticated('another audience', header.kid);
  if (isRevoked(key, claims.issuedAt)) return unauthenticated('revoked', header.kid);
  return ok({ claims, key });
}

/** The values of `aud` that name this installation. */
const audiencesOf = ({ publicUrl, config }: App): readonly string[] => [
  publicUrl,
  ...(config.PAYGRAPH_TOKEN_AUDIENCE === undefined ? [] : [config.PAYGRAPH_TOKEN_AUDIENCE]),
];

const unauthenticated = (reason: string, keyId: string | null = null) =>
  refuse<Unauthenticated>({ kind: 'Unauthenticated', reason, keyId });

/** Returns the claims of a token with a valid signature and valid times, or the reason of the refusal. */
async function checkSignature(app: App, token: string, key: VerifyingKey): Promise<Claims | string> {
  const algorithm = JOSE_ALGORITHM[key.algorithm];
  const now = app.clock.now();
  const publicKey = await importJWK(key.jwk, algorithm);
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      // Only the key's own algorithm is accepted: never the header's wish, never `none`.
      algorithms: [algorithm],
      requiredClaims: REQUIRED_CLAIMS,
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: now,
    });
    return readClaims(key.thumbprint, payload, now) ?? 'claims';
  } catch (error) {
    if (error instanceof errors.JOSEError) return error.code;
    throw error;
  }
}

/**
 * Narrows the access of a token for one merchant account to that account. Refuses the token if its key cannot access
 * the account.
 */
function narrowAccess(
  access: AccountAccess,
  { merchantAccountId }: Claims,
): Result<AccountAccess, Forbidden> {
  if (merchantAccountId === null) return ok(access);
  return canAccess(access, merchantAccountId) ? ok([merchantAccountId]) : forbid(NOT_THIS_ONE);
}

/** Returns true if a merchant account exists. Accounts are never deleted, so a found account is cached. */
async function exists(app: App, merchantAccountId: string): Promise<boolean> {
  const { accounts } = cacheOf(app.db);
  if (accounts.get(merchantAccountId)) return true;
  const [found] = await findMerchantAccountsWithin(app.db, [], [merchantAccountId]);
  if (found) accounts.set(merchantAccountId, true);
  return found !== undefined;
}

/**
 * The size of each cache. 10 000 usual claims take some five megabytes. A token that falls out is verified again in
 * about a millisecond.
 */
const CACHED_MAX = 10_000;

const cacheOf = cachePerDatabase(() => ({
  /** The key is the SHA-256 digest of the token, so that no token is stored. */
  claimsOf: new LRUCache<string, Claims>({ max: CACHED_MAX }),
  accounts: new LRUCache<string, true>({ max: CACHED_MAX }),
}));
