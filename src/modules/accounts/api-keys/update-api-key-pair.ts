import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { coversAny } from '../../../kernel/scope.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { ApiKeyPair } from '../model/api-key-pair.ts';
import { updateApiKeyPairSchema, type UpdateApiKeyPairInput } from './api-key-pair-input.ts';
import { findApiKeyPairs } from './find-api-key-pairs.ts';
import { forgetKey } from './known-keys.ts';
import { recordKeyEvent } from './record-key-event.ts';
import { changeApiKeyPair } from '../store.ts';

/**
 * Renames, disables, enables or expires a key pair. An absent field stays. A null moment means never.
 *
 * Every viewer with access to the pair can disable it, expire it and revoke its tokens. The reverse needs every scope of
 * the pair in the viewer's token. Commits once: the change and its event. This process refuses the pair's tokens
 * at once, other processes within five seconds.
 */
export async function updateApiKeyPair(
  app: App,
  viewer: Viewer,
  id: string,
  input: UpdateApiKeyPairInput,
): Promise<Result<ApiKeyPair, InvalidInput | NotFound>> {
  const parsed = parseInput(updateApiKeyPairSchema(app.clock.now()), input);
  if (!parsed.ok) return parsed;
  const [pair = null] = await findApiKeyPairs(app, viewer, [id]);
  if (!pair) return refuse(notFound('API key pair'));
  const [first, ...rest] = escalations(viewer, pair, parsed.value);
  if (first) return refuse(first, ...rest);
  const { displayName, active, expiresAt, tokensNotBefore } = parsed.value;
  const changes = {
    ...(displayName != null && { displayName }),
    ...(active != null && { active }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(tokensNotBefore !== undefined && { tokensNotBefore }),
    updatedAt: app.clock.now(),
  };
  const changed = await app.db.transaction(async (tx) => {
    const written = await changeApiKeyPair(tx, pair.id, changes);
    if (written) await recordKeyEvent(app, tx, viewer, 'api-key-pair.updated', written);
    return written;
  });
  forgetKey(app, pair.thumbprint);
  app.wakeRelay();
  return changed ? ok(changed) : refuse(notFound('API key pair'));
}

/** Returns the changes that would restore rights that the viewer lacks. */
function escalations(
  viewer: Viewer,
  pair: ApiKeyPair,
  { active, expiresAt, tokensNotBefore }: UpdateApiKeyPairInput,
): readonly InvalidInput[] {
  if (pair.scopes.every((scope) => coversAny(viewer.scopes, scope))) return [];
  const enables = active === true && !pair.active;
  const prolongs =
    expiresAt !== undefined && pair.expiresAt !== null && (expiresAt === null || expiresAt > pair.expiresAt);
  const restores =
    tokensNotBefore !== undefined && (tokensNotBefore ?? NEVER) < (pair.tokensNotBefore ?? NEVER);
  const message = 'Your token lacks a scope of this key pair. Use a token with all of its scopes.';
  return [
    ...(enables ? [invalidInput(['input', 'active'], message)] : []),
    ...(prolongs ? [invalidInput(['input', 'expiresAt'], message)] : []),
    ...(restores ? [invalidInput(['input', 'tokensNotBefore'], message)] : []),
  ];
}

/** The moment of a key that revoked no tokens. */
const NEVER = new Date(0);
