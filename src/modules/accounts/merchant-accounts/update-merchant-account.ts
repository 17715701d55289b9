import type { App, Viewer } from '../../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import {
  updateMerchantAccountSchema,
  type MerchantAccount,
  type UpdateMerchantAccountInput,
} from '../model/merchant-account.ts';
import { accessOf } from '../model/account-access.ts';
import { changeMerchantAccount } from '../store.ts';

/**
 * Changes a merchant account. An absent field stays. Null clears a limit on over-capture. Refuses an account that the
 * viewer's token cannot access as not found. Writes once, and only the given fields.
 */
export async function updateMerchantAccount(
  app: App,
  viewer: Viewer,
  id: string,
  input: UpdateMerchantAccountInput,
): Promise<Result<MerchantAccount, InvalidInput | NotFound>> {
  const parsed = parseInput(updateMerchantAccountSchema, input);
  if (!parsed.ok) return parsed;
  const { displayName, overCaptureAmount, overCapturePercentage } = parsed.value;
  const { allowsCardLikeIdentifiers, lateAuthorizations } = parsed.value;
  const changed = await changeMerchantAccount(app.db, accessOf(viewer), id, {
    ...(displayName != null && { displayName }),
    ...(overCaptureAmount !== undefined && { overCaptureAmount }),
    ...(overCapturePercentage !== undefined && { overCapturePercentage }),
    ...(allowsCardLikeIdentifiers != null && { allowsCardLikeIdentifiers }),
    ...(lateAuthorizations != null && { lateAuthorizations }),
    updatedAt: app.clock.now(),
  });
  return changed ? ok(changed) : refuse(notFound('merchant account'));
}
