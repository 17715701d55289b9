import { hash } from 'node:crypto';
import { errors, importJWK, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { App, Viewer } from '../../app.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { narrowScopes } from '../../kernel/scope.ts';
import { isUsable } from './api-key-pair.ts';
import { chooseMerchantAccount, forbid, NOT_THIS_ONE } from './choose-merchant-account.ts';
import { JOSE_ALGORITHM } from './key-material.ts';
import { findKey, noteUse } from './known-keys.ts';
import { rememberedWith } from './cache-per-database.ts';
import { reaches, type Reach } from './account-access.ts';
import type { Forbidden } from './refusals.ts';
import { findMerchantAccountsWithin, type VerifyingKey } from './store.ts';
import { CLOCK_TOLERANCE_S, isOver, readClaims, readHeader, REQUIRED_CLAIMS, type Claims } from './token.ts';

/** The token says nothing about who asks. The reason is for the log: outside, all reasons look alike. */
export type Unauthenticated = { readonly kind: 'Unauthenticated'; readonly reason: string };

/**
 * Finds out whose token this is and for which merchant account it is used. `asked` names the account; left out, the
 * key's only one or `default` is taken. A token's rights are what it asks for, cut to what its key has now: a key that
 * is disabled, expired or changed counts within five seconds, also for tokens that were verified before.
 */
export async function verifyToken(
  app: App,
  token: string | undefined,
  asked: string | undefined,
): Promise<Result<Viewer, Unauthenticated | Forbidden>> {
  const verified = await verify(app, token);
  if (!verified.ok) return verified;
  const { claims, key } = verified.value;
  const reach = narrowReach(key.merchantAccountIds, claims);
  if (!reach.ok) return reach;
  const chosen = chooseMerchantAccount(reach.value, asked);
  if (!chosen.ok) return chosen;
  if (!(await exists(app, chosen.value))) return forbid(NOT_THIS_ONE);
  await noteUse(app, key);
  return ok({
    merchantAccountId: chosen.value,
    scopes: narrowScopes(claims.scopes, key.scopes),
    apiKeyPairId: key.id,
    reachableMerchantAccountIds: reach.value,
    tokenExpiresAt: key.expiresAt && key.expiresAt < claims.expiresAt ? key.expiresAt : claims.expiresAt,
  });
}

type Verified = { readonly claims: Claims; readonly key: VerifyingKey };

/** Checks the token unless that was done before, and its key in any case. */
async function verify(app: App, token: string | undefined): Promise<Result<Verified, Unauthenticated>> {
  if (token === undefined) return unauthenticated('no bearer token');
  if (token.length > TOKEN_LENGTH_MAX) return unauthenticated('too long');
  const { claimsOf } = memoryOf(app.db);
  const digest = hash('sha256', token, 'base64url');
  const remembered = claimsOf.get(digest);
  const header = remembered ?? readHeader(token);
  if (!header) return unauthenticated('not an access token');
  const key = await findKey(app, header.kid);
  if (!key) return unauthenticated('unknown key');
  if (!isUsable(key, app.clock.now())) return unauthenticated('key disabled or expired');
  const claims = remembered ?? (await checkSignature(app, token, key));
  if (typeof claims === 'string') return unauthenticated(claims);
  if (isOver(claims, app.clock.now())) {
    claimsOf.delete(digest);
    return unauthenticated('expired');
  }
  if (!remembered) claimsOf.set(digest, claims);
  return ok({ claims, key });
}

/** Tokens have some 500 characters; one with every scope by name, signed with RSA, has 2500. */
const TOKEN_LENGTH_MAX = 8_192;

const unauthenticated = (reason: string) => refuse<Unauthenticated>({ kind: 'Unauthenticated', reason });

/** The claims of a token that the key has signed and whose time has come, or why it is refused. */
async function checkSignature(app: App, token: string, key: VerifyingKey): Promise<Claims | string> {
  const algorithm = JOSE_ALGORITHM[key.algorithm];
  const now = app.clock.now();
  const publicKey = await importJWK(key.jwk, algorithm);
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      // The key's own algorithm only: never what the header would like, never `none`.
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

/** A token that is tied to one merchant account reaches that one only, if its key does. */
function narrowReach(reach: Reach, { merchantAccountId }: Claims): Result<Reach, Forbidden> {
  if (merchantAccountId === null) return ok(reach);
  return reaches(reach, merchantAccountId) ? ok([merchantAccountId]) : forbid(NOT_THIS_ONE);
}

/** Merchant accounts are never deleted, so that one that was seen once exists. */
async function exists(app: App, merchantAccountId: string): Promise<boolean> {
  const { accounts } = memoryOf(app.db);
  if (accounts.get(merchantAccountId)) return true;
  const [found] = await findMerchantAccountsWithin(app.db, [], [merchantAccountId]);
  if (found) accounts.set(merchantAccountId, true);
  return found !== undefined;
}

/** Some five megabytes of usual claims; a token that falls out is verified again, in about a millisecond. */
const REMEMBERED_MAX = 10_000;

const memoryOf = rememberedWith(() => ({
  /** By the SHA-256 of the token, so that no token is kept. */
  claimsOf: new LRUCache<string, Claims>({ max: REMEMBERED_MAX }),
  accounts: new LRUCache<string, true>({ max: REMEMBERED_MAX }),
}));
