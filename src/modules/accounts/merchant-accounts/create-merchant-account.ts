import type { App, Viewer } from '../../../app.ts';
import type { IdempotencyRefusal, InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isDuplicate } from '../../../platform/database/db.ts';
import { createOnce } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import {
  createMerchantAccountSchema,
  merchantAccountFromJson,
  merchantAccountToJson,
  type CreateMerchantAccountInput,
  type MerchantAccount,
} from '../model/merchant-account.ts';
import { accessOf } from '../model/account-access.ts';
import type { DuplicateRecord, Forbidden } from '../model/refusals.ts';
import { insertMerchantAccount } from '../store.ts';

export type CreatedMerchantAccount = {
  readonly merchantAccount: MerchantAccount;
  readonly replayed: boolean;
};

/**
 * Creates a merchant account. Refuses a viewer with access to some accounts only, because the viewer could not use the
 * new account. Refuses a known id. Commits once: the account and the record of the idempotency key.
 */
export async function createMerchantAccount(
  app: App,
  viewer: Viewer,
  input: CreateMerchantAccountInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedMerchantAccount, Forbidden | InvalidInput | IdempotencyRefusal | DuplicateRecord>> {
  if (accessOf(viewer).length > 0) {
    return refuse({
      kind: 'Forbidden',
      message: 'Only an API key for every merchant account can create a merchant account.',
    });
  }
  const parsed = parseInput(createMerchantAccountSchema, input);
  if (!parsed.ok) return parsed;
  const now = app.clock.now();
  const { id, displayName, overCaptureAmount = null, overCapturePercentage = null } = parsed.value;
  const { allowsCardLikeIdentifiers, lateAuthorizations } = parsed.value;
  const account = {
    id,
    displayName,
    overCaptureAmount,
    overCapturePercentage,
    allowsCardLikeIdentifiers: allowsCardLikeIdentifiers ?? false,
    lateAuthorizations: lateAuthorizations ?? 'release',
    createdAt: now,
    updatedAt: now,
  };
  const once = {
    merchantAccountId: viewer.merchantAccountId,
    operation: 'createMerchantAccount',
    key: idempotencyKey,
    input: { input: parsed.value },
    now,
  };
  try {
    const created = await createOnce(app.db, once, async (tx) => {
      await insertMerchantAccount(tx, account);
      return merchantAccountToJson(account);
    });
    if (!created.ok) return created;
    const { value, replayed } = created.value;
    return ok({ merchantAccount: merchantAccountFromJson(value), replayed });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse({
      kind: 'DuplicateRecord',
      path: ['input', 'id'],
      message: 'Another merchant account has this id.',
      resourceId: id,
    });
  }
}
