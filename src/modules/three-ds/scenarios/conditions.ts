import type { App } from '../../../app.ts';
import { cardCondition } from '../card.ts';
import type { GivenConditions } from '../input/scenario.ts';
import type { ThreeDSConditions } from '../scenario.ts';

/** Returns conditions in their stored form, without the card number. Must not run inside a transaction, see Vault. */
export async function toStoredConditions(
  { vault }: App,
  merchantAccountId: string,
  { cardNumber, ...given }: GivenConditions,
): Promise<ThreeDSConditions> {
  return {
    ...given,
    cardNumber: cardNumber === null ? null : await cardCondition(vault, merchantAccountId, cardNumber),
  };
}
