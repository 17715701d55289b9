import type { App } from '../../../app.ts';
import { findBuyers } from '../../payment-methods/index.ts';
import type { PaymentLink } from '../payment-link.ts';

/**
 * Returns the stored buyer of a link. A deleted buyer is ignored: the link can still be paid with its copy of the
 * details. A link that stores its payment method is then refused, because nobody would own that method.
 */
export async function payingBuyerOf(
  app: App,
  { merchantAccountId, buyerId, store }: PaymentLink,
): Promise<string | null> {
  if (buyerId === null || store) return buyerId;
  const [found] = await findBuyers(app, { merchantAccountId }, [buyerId]);
  return found ? buyerId : null;
}
