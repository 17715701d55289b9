import type { App, Viewer } from '../../../app.ts';
import { invalidInput, type IdempotencyRefusal, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isDuplicate } from '../../../platform/database/db.ts';
import { answerOnce, createOnce } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { apiKeyPairFromJson, apiKeyPairToJson, type ApiKeyPair } from '../model/api-key-pair.ts';
import {
  createApiKeyPairSchema,
  type CreateApiKeyPairInput,
  type NewApiKeyPair,
} from './api-key-pair-input.ts';
import { generateKey, thumbprintOf, type PublicKey } from '../model/key-material.ts';
import { forgetKey } from './known-keys.ts';
import { accessOf } from '../model/account-access.ts';
import { recordKeyEvent } from './record-key-event.ts';
import type { DuplicateRecord } from '../model/refusals.ts';
import {
  findApiKeyPairsWithin,
  findMerchantAccountsWithin,
  findVerifyingKey,
  insertApiKeyPair,
} from '../store.ts';

export type CreatedApiKeyPair = {
  readonly apiKeyPair: ApiKeyPair;
  /** The private key as PKCS #8 PEM, if this request generated the key. The service does not store it. */
  readonly privateKey: string | null;
  readonly replayed: boolean;
};

/**
 * Creates an API key pair, or imports the caller's public key. Refuses scopes and merchant accounts beyond those of the
 * viewer's token, weak keys, and a known public key.
 *
 * Commits once: the pair, its event and the record of the idempotency key, all without the private key. If the response
 * is lost, the private key is lost too. The caller then disables the pair and creates another.
 */
export async function createApiKeyPair(
  app: App,
  viewer: Viewer,
  input: CreateApiKeyPairInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedApiKeyPair, InvalidInput | IdempotencyRefusal | DuplicateRecord>> {
  const now = app.clock.now();
  const accounts = await accessibleAccounts(app, viewer, input);
  const check = (moment: Date) =>
    parseInput(createApiKeyPairSchema({ viewer, input, accounts, now: moment }), input);
  const parsed = check(now);
  if (!parsed.ok) return (await answerLate(app, viewer, check(new Date(0)), idempotencyKey)) ?? parsed;
  const generated = parsed.value.publicKey ? null : await generateKey(parsed.value.algorithm ?? 'es512');
  const key = parsed.value.publicKey ?? generated;
  if (!key) throw new Error('A key pair without a key.');
  const pair = await toPair(app, viewer, parsed.value, key, now);
  try {
    const created = await createOnce(
      app.db,
      onceOf(viewer, pair, generated === null, idempotencyKey),
      async (tx) => {
        await insertApiKeyPair(tx, pair, key);
        await recordKeyEvent(app, tx, viewer, 'api-key-pair.created', pair);
        return apiKeyPairToJson(pair);
      },
    );
    if (!created.ok) return created;
    const { value, replayed } = created.value;
    // A token of the key may have come earlier, when the key was unknown.
    forgetKey(app, pair.thumbprint);
    app.wakeRelay();
    return ok({
      apiKeyPair: apiKeyPairFromJson(value),
      privateKey: replayed ? null : (generated?.privateKeyPem ?? null),
      replayed,
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse(await duplicateOf(app, viewer, pair.thumbprint));
  }
}

/** Answers a repeat of a request whose `expiresAt` was valid at first and has passed since. */
async function answerLate(
  app: App,
  viewer: Viewer,
  parsed: Result<NewApiKeyPair, InvalidInput>,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedApiKeyPair, IdempotencyRefusal> | null> {
  if (!parsed.ok || idempotencyKey == null) return null;
  const { publicKey, algorithm } = parsed.value;
  const key = publicKey ?? (await generateKey(algorithm ?? 'es512'));
  const pair = await toPair(app, viewer, parsed.value, key, app.clock.now());
  const stored = await answerOnce<ReturnType<typeof apiKeyPairToJson>>(
    app.db,
    onceOf(viewer, pair, publicKey != null, idempotencyKey),
  );
  if (!stored?.ok) return stored;
  const { value, replayed } = stored.value;
  return ok({ apiKeyPair: apiKeyPairFromJson(value), privateKey: null, replayed });
}

/** Returns the requested merchant accounts that exist and that the viewer's token can access. */
async function accessibleAccounts(app: App, viewer: Viewer, { merchantAccountIds }: CreateApiKeyPairInput) {
  if (!merchantAccountIds?.length) return new Set<string>();
  const found = await findMerchantAccountsWithin(app.db, accessOf(viewer), merchantAccountIds.slice(0, 100));
  return new Set(found.map(({ id }) => id));
}

async function toPair(
  app: App,
  viewer: Viewer,
  given: NewApiKeyPair,
  key: PublicKey,
  now: Date,
): Promise<ApiKeyPair> {
  return {
    id: app.ids.uuid(),
    displayName: given.displayName,
    thumbprint: await thumbprintOf(key),
    algorithm: key.algorithm,
    scopes: [...new Set(given.scopes)],
    merchantAccountIds: given.merchantAccountIds?.length
      ? [...new Set(given.merchantAccountIds)]
      : accessOf(viewer),
    active: true,
    expiresAt: given.expiresAt ?? null,
    tokensNotBefore: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Returns the idempotent request. Its input includes the pair's accounts, so a token with less access cannot get the
 * stored response.
 */
function onceOf(viewer: Viewer, pair: ApiKeyPair, ownKey: boolean, key: string | null | undefined) {
  const { displayName, algorithm, scopes, merchantAccountIds, expiresAt, thumbprint } = pair;
  const input = {
    displayName,
    algorithm,
    scopes,
    merchantAccountIds,
    expiresAt,
    publicKey: ownKey ? thumbprint : null,
  };
  return {
    merchantAccountId: viewer.merchantAccountId,
    operation: 'createApiKeyPair',
    key,
    input: { input },
    now: pair.createdAt,
  };
}

/** Names the pair with the public key, unless that pair has more access than the viewer's token. */
async function duplicateOf(
  app: App,
  viewer: Viewer,
  thumbprint: string,
): Promise<DuplicateRecord | InvalidInput> {
  const path = ['input', 'publicKey'];
  const message = 'Another API key pair has this public key: see resourceId.';
  const known = await findVerifyingKey(app.db, thumbprint);
  const [seen] = known ? await findApiKeyPairsWithin(app.db, accessOf(viewer), [known.id]) : [];
  return seen ? { kind: 'DuplicateRecord', path, message, resourceId: seen.id } : invalidInput(path, message);
}
