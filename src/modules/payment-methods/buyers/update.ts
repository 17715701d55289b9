import type { App, Viewer } from '../../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import type { Buyer } from '../model/buyer.ts';
import { updateBuyerInput, type UpdateBuyerInput } from '../input/buyer.ts';
import { lockBuyer, replaceBuyer } from '../store/buyers/buyers.ts';
import { recordBuyerEvent } from './event.ts';
import { refuseTakenIdentifier } from './external-identifier.ts';
import { termsOf } from '../model/search-terms.ts';

/**
 * Changes a buyer. Refuses an external identifier in use.
 *
 * - Omitted fields keep their values, and null clears a field.
 * - Billing details are replaced as a whole.
 * - Payments keep their own copies.
 *
 * Commits once: the buyer and its event.
 */
export async function updateBuyer(
  app: App,
  viewer: Viewer,
  id: string,
  input: UpdateBuyerInput,
): Promise<Result<Buyer, InvalidInput | NotFound | DuplicateRecord>> {
  const parsed = parseInput(updateBuyerInput, input);
  if (!parsed.ok) return parsed;
  const { merchantAccountId } = viewer;
  const given = Object.fromEntries(Object.entries(parsed.value).filter(([, value]) => value !== undefined));
  return await refuseTakenIdentifier(
    app,
    merchantAccountId,
    parsed.value.externalIdentifier ?? null,
    async () => {
      const changed = await app.db.transaction(async (tx) => {
        const before = await lockBuyer(tx, merchantAccountId, id);
        if (!before) return null;
        const after: Buyer = { ...before, ...given, updatedAt: app.clock.now() };
        await replaceBuyer(tx, after, termsOf(after));
        await recordBuyerEvent(app, tx, 'updated', after);
        return after;
      });
      return changed ? ok(changed) : refuse(notFound('buyer'));
    },
  );
}
