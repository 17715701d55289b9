import type { ApiKeyPair, UpdateApiKeyPairInput } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

const KEY = {
  ...{ id: true, displayName: true, scopes: true, active: true, lastUsedAt: true, createdAt: true },
} as const;

/** A key that signs access tokens. */
export type Key = Answer<ApiKeyPair, typeof KEY>;

/** Reads a page of the keys, newest first. */
export async function readKeys(after: string | null, signal: AbortSignal): Promise<Rows<Key>> {
  const selection = { nodes: KEY, pageInfo: PAGE_INFO };
  const { apiKeyPairs } = await api.query({ apiKeyPairs: [{ first: 50, after }, selection] }, { signal });
  return rowsOf(apiKeyPairs);
}

/** Creates a key. The answer is the private key, or an empty text if an earlier answer had it. */
export async function createKey(
  displayName: string,
  scopes: readonly string[],
  idempotencyKey: string,
): Promise<string> {
  const input = { displayName, scopes: [...scopes] };
  const { createApiKeyPair: created } = await api.mutate({
    createApiKeyPair: [{ input, idempotencyKey }, { privateKey: true }],
  });
  return created.privateKey ?? '';
}

/** Disables, enables or renames a key, or revokes its tokens. */
export async function updateKey(id: string, input: UpdateApiKeyPairInput): Promise<null> {
  await api.mutate({ updateApiKeyPair: [{ id, input }, { apiKeyPair: { id: true } }] });
  return null;
}
