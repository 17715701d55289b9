import type { App, Viewer } from '../../app.ts';
import { invalidInput, type IdempotencyRefusal, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isDuplicate } from '../../platform/db.ts';
import { answerOnce, createOnce } from '../idempotency/index.ts';
import { parseInput } from '../../platform/validate.ts';
import { apiKeyPairFromJson, apiKeyPairToJson, type ApiKeyPair } from './api-key-pair.ts';
import {
  createApiKeyPairSchema,
  type CreateApiKeyPairInput,
  type NewApiKeyPair,
} from './api-key-pair-input.ts';
import { generateKey, thumbprintOf, type PublicKey } from './key-material.ts';
import { forgetKey } from './known-keys.ts';
import { reachOf } from './account-access.ts';
import { recordKeyEvent } from './record-key-event.ts';
import type { DuplicateRecord } from './refusals.ts';
import {
  findApiKeyPairsWithin,
  findMerchantAccountsWithin,
  findVerifyingKey,
  insertApiKeyPair,
} from './store.ts';

export type CreatedApiKeyPair = {
  readonly apiKeyPair: ApiKeyPair;
  /** PKCS #8 PEM, when the key was made here and just now: it is kept nowhere. */
  readonly privateKey: string | null;
  readonly replayed: boolean;
};

/**
 * Makes an API key pair, or takes in the caller's public key. Refuses scopes and merchant accounts beyond those of the
 * viewer's token, weak keys, and a public key that is known already. Commits once: the pair, its event and the record of
 * the idempotency key, none with the private half. An answer that is lost takes the private half with it: disable the
 * pair and make another.
 */
export async function createApiKeyPair(
  app: App,
  viewer: Viewer,
  input: CreateApiKeyPairInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedApiKeyPair, InvalidInput | IdempotencyRefusal | DuplicateRecord>> {
  const now = app.clock.now();
  const accounts = await reachableOf(app, viewer, input);
  const check = (moment: Date) =>
    parseInput(createApiKeyPairSchema({ viewer, input, accounts, now: moment }), input);
  const parsed = check(now);
  if (!parsed.ok) return (await answerLate(app, viewer, check(new Date(0)), idempotencyKey)) ?? parsed;
  const made = parsed.value.publicKey ? null : await generateKey(parsed.value.algorithm ?? 'es512');
  const key = parsed.value.publicKey ?? made;
  if (!key) throw new Error('A key pair without a key.');
  const pair = await toPair(app, viewer, parsed.value, key, now);
  try {
    const created = await createOnce(
      app.db,
      onceOf(viewer, pair, made === null, idempotencyKey),
      async (tx) => {
        await insertApiKeyPair(tx, pair, key);
        await recordKeyEvent(app, tx, viewer, 'api-key-pair.created', pair);
        return apiKeyPairToJson(pair);
      },
    );
    if (!created.ok) return created;
    const { value, replayed } = created.value;
    // A token of the key may have come before the key did.
    forgetKey(app, pair.thumbprint);
    app.wakeRelay();
    return ok({
      apiKeyPair: apiKeyPairFromJson(value),
      privateKey: replayed ? null : (made?.privateKeyPem ?? null),
      replayed,
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse(await duplicateOf(app, viewer, pair.thumbprint));
  }
}

/** A repeat of a request that was made in time is answered, although its `expiresAt` has passed since. */
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

/** Those of the merchant accounts asked for that exist and that the viewer's token reaches. */
async function reachableOf(app: App, viewer: Viewer, { merchantAccountIds }: CreateApiKeyPairInput) {
  if (!merchantAccountIds?.length) return new Set<string>();
  const found = await findMerchantAccountsWithin(app.db, reachOf(viewer), merchantAccountIds.slice(0, 100));
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
      : reachOf(viewer),
    active: true,
    expiresAt: given.expiresAt ?? null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** What the pair reaches is a part of its input: a token that reaches less cannot have this answer repeated to it. */
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

/** Names the pair that has the public key, unless it reaches further than the viewer's token. */
async function duplicateOf(
  app: App,
  viewer: Viewer,
  thumbprint: string,
): Promise<DuplicateRecord | InvalidInput> {
  const path = ['input', 'publicKey'];
  const message = 'Another API key pair has this public key: see resourceId.';
  const known = await findVerifyingKey(app.db, thumbprint);
  const [seen] = known ? await findApiKeyPairsWithin(app.db, reachOf(viewer), [known.id]) : [];
  return seen ? { kind: 'DuplicateRecord', path, message, resourceId: seen.id } : invalidInput(path, message);
}
