import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/input/text.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { country, currency, optional } from '../../../platform/input/values.ts';
import type { PaymentMethod } from '../model/payment-method.ts';
import { findBuyerIdBy } from '../store/buyers/buyers.ts';
import { readOfBuyer, type BuyerOrder } from '../store/payment-methods-of-buyer.ts';

/** A buyer by one of two identifiers, and the payment methods to list. Null matches every value. */
export type BuyerPaymentMethodsRequest = BuyerOrder & {
  readonly buyerId?: string | null | undefined;
  readonly buyerExternalIdentifier?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly currency?: string | null | undefined;
};

/**
 * Lists the first 50 payment methods of one buyer. A payment method without a country or currency of its own matches each. An
 * unknown buyer has none. Refuses two identifiers, and none.
 */
export async function listBuyerPaymentMethods(
  app: App,
  { merchantAccountId }: Viewer,
  given: BuyerPaymentMethodsRequest,
): Promise<Result<readonly PaymentMethod[], InvalidInput>> {
  const parsed = parseInput(request, given, null);
  if (!parsed.ok) return parsed;
  const { buyerId, buyerExternalIdentifier, ...terms } = parsed.value;
  if (buyerId === null && buyerExternalIdentifier === null)
    return refuse(invalidInput(['buyerId'], 'Give buyerId or buyerExternalIdentifier.'));
  if (buyerId !== null && buyerExternalIdentifier !== null)
    return refuse(
      invalidInput(['buyerExternalIdentifier'], 'Give buyerId or buyerExternalIdentifier, not both.'),
    );
  const id =
    buyerExternalIdentifier === null
      ? buyerId
      : await findBuyerIdBy(app.db, merchantAccountId, buyerExternalIdentifier);
  if (id === null || !isUuid(id)) return ok([]);
  const { sortBy, orderBy } = given;
  return ok(await readOfBuyer(app.db, merchantAccountId, id, { ...terms, sortBy, orderBy }));
}

const request = z.object({
  buyerId: optional(z.string()),
  buyerExternalIdentifier: optional(text(1, 200)),
  country: optional(country),
  currency: optional(currency),
});
