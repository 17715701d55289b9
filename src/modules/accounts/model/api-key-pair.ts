import type { ApiKeyAlgorithm } from './key-material.ts';
import type { AccountAccess } from './account-access.ts';

/** A key pair whose tokens the service accepts. The service stores only the public key. */
export type ApiKeyPair = {
  readonly id: string;
  readonly displayName: string;
  /** The `kid` of its tokens: the RFC 7638 SHA-256 thumbprint of the public key. */
  readonly thumbprint: string;
  readonly algorithm: ApiKeyAlgorithm;
  /** The widest scopes that a token of the key can have. */
  readonly scopes: readonly string[];
  readonly merchantAccountIds: AccountAccess;
  readonly active: boolean;
  /** The moment from which its tokens are refused. Null: never. */
  readonly expiresAt: Date | null;
  /** Tokens that were issued before are refused. Null: none for their age. */
  readonly tokensNotBefore: Date | null;
  /** The minute in which one of its tokens was last accepted. */
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Returns true if the service accepts tokens of the key. */
export const isUsable = (
  { active, expiresAt }: Pick<ApiKeyPair, 'active' | 'expiresAt'>,
  now: Date,
): boolean => active && (expiresAt === null || expiresAt.getTime() > now.getTime());

/** Returns true if the key revoked a token. A token that does not name its moment of issue may be older. */
export const isRevoked = (
  { tokensNotBefore }: Pick<ApiKeyPair, 'tokensNotBefore'>,
  issuedAt: Date | null,
): boolean => tokensNotBefore !== null && (issuedAt === null || issuedAt < tokensNotBefore);

/** The form in the record of an idempotency key: moments as ISO text. */
export type ApiKeyPairJson = Omit<
  ApiKeyPair,
  'expiresAt' | 'tokensNotBefore' | 'lastUsedAt' | 'createdAt' | 'updatedAt'
> & {
  readonly expiresAt: string | null;
  /** Absent in older records. */
  readonly tokensNotBefore?: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const apiKeyPairToJson = (pair: ApiKeyPair): ApiKeyPairJson => ({
  ...pair,
  expiresAt: pair.expiresAt?.toISOString() ?? null,
  tokensNotBefore: pair.tokensNotBefore?.toISOString() ?? null,
  lastUsedAt: pair.lastUsedAt?.toISOString() ?? null,
  createdAt: pair.createdAt.toISOString(),
  updatedAt: pair.updatedAt.toISOString(),
});

export const apiKeyPairFromJson = (json: ApiKeyPairJson): ApiKeyPair => ({
  ...json,
  expiresAt: json.expiresAt === null ? null : new Date(json.expiresAt),
  tokensNotBefore: json.tokensNotBefore == null ? null : new Date(json.tokensNotBefore),
  lastUsedAt: json.lastUsedAt === null ? null : new Date(json.lastUsedAt),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});
