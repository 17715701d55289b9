import type { ApiKeyAlgorithm } from './key-material.ts';
import type { Reach } from './account-access.ts';

/** A key pair of which the service keeps the public half: its tokens are accepted. */
export type ApiKeyPair = {
  readonly id: string;
  readonly displayName: string;
  /** RFC 7638 SHA-256 thumbprint of the public half: the `kid` of its tokens. */
  readonly thumbprint: string;
  readonly algorithm: ApiKeyAlgorithm;
  /** The most that a token of it may do. */
  readonly scopes: readonly string[];
  readonly merchantAccountIds: Reach;
  readonly active: boolean;
  /** From this moment on its tokens are refused; null: never. */
  readonly expiresAt: Date | null;
  /** The minute in which a token of it was last accepted. */
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Whether tokens of the key are accepted at all. */
export const isUsable = (
  { active, expiresAt }: Pick<ApiKeyPair, 'active' | 'expiresAt'>,
  now: Date,
): boolean => active && (expiresAt === null || expiresAt.getTime() > now.getTime());

/** As the record of an idempotency key holds it: moments as ISO text. */
export type ApiKeyPairJson = Omit<ApiKeyPair, 'expiresAt' | 'lastUsedAt' | 'createdAt' | 'updatedAt'> & {
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const apiKeyPairToJson = (pair: ApiKeyPair): ApiKeyPairJson => ({
  ...pair,
  expiresAt: pair.expiresAt?.toISOString() ?? null,
  lastUsedAt: pair.lastUsedAt?.toISOString() ?? null,
  createdAt: pair.createdAt.toISOString(),
  updatedAt: pair.updatedAt.toISOString(),
});

export const apiKeyPairFromJson = (json: ApiKeyPairJson): ApiKeyPair => ({
  ...json,
  expiresAt: json.expiresAt === null ? null : new Date(json.expiresAt),
  lastUsedAt: json.lastUsedAt === null ? null : new Date(json.lastUsedAt),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});
