import type { App, Viewer } from '../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/validate.ts';
import {
  updateMerchantAccountSchema,
  type MerchantAccount,
  type UpdateMerchantAccountInput,
} from './merchant-account.ts';
import { reachOf } from './account-access.ts';
import { changeMerchantAccount } from './store.ts';

/**
 * Changes a merchant account. What is left out stays; null clears the limits on over-capture. Refuses an account that the
 * viewer's token does not reach as not found. Writes once, and only the fields given.
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
  const changed = await changeMerchantAccount(app.db, reachOf(viewer), id, {
    ...(displayName != null && { displayName }),
    ...(overCaptureAmount !== undefined && { overCaptureAmount }),
    ...(overCapturePercentage !== undefined && { overCapturePercentage }),
    updatedAt: app.clock.now(),
  });
  return changed ? ok(changed) : refuse(notFound('merchant account'));
}
