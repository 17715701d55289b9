import type { App, Viewer } from '../../../app.ts';
import type { IdempotencyRefusal, InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { createOnce } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import { fromJson, toJson, type Buyer } from '../model/buyer.ts';
import { createBuyerInput, type CreateBuyerInput } from '../input/buyer.ts';
import { insertBuyer } from '../store/buyers/buyers.ts';
import { recordBuyerEvent } from './event.ts';
import { refuseTakenIdentifier } from './external-identifier.ts';
import { termsOf } from '../model/search-terms.ts';

/** A created buyer. `replayed` is true if the answer comes from the idempotency key. */
export type CreatedBuyer = { readonly buyer: Buyer; readonly replayed: boolean };

/**
 * Creates a buyer. Refuses an external identifier in use and names the buyer that has the identifier.
 *
 * Commits once: the buyer, its event and the idempotency key.
 */
export async function createBuyer(
  app: App,
  viewer: Viewer,
  input: CreateBuyerInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedBuyer, InvalidInput | IdempotencyRefusal | DuplicateRecord>> {
  const parsed = parseInput(createBuyerInput, input);
  if (!parsed.ok) return parsed;
  const { merchantAccountId } = viewer;
  const now = app.clock.now();
  const buyer: Buyer = {
    ...parsed.value,
    id: app.ids.uuid(),
    merchantAccountId,
    createdAt: now,
    updatedAt: now,
  };
  const once = {
    merchantAccountId,
    operation: 'createBuyer',
    key: idempotencyKey,
    input: { input: parsed.value },
    now,
  };
  return await refuseTakenIdentifier(app, merchantAccountId, buyer.externalIdentifier, async () => {
    const created = await createOnce(app.db, once, async (tx) => {
      await insertBuyer(tx, buyer, termsOf(buyer));
      await recordBuyerEvent(app, tx, 'created', buyer);
      return toJson(buyer);
    });
    if (!created.ok) return created;
    const { value, replayed } = created.value;
    return ok({ buyer: fromJson<Buyer>(value), replayed });
  });
}
