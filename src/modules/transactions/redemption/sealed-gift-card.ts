import type { GiftCardSecrets } from '../../../connectors/interface/gift-cards.ts';
import type { SealContext, Vault } from '../../../platform/vault/vault.ts';
import type { Redemption } from '../model/redemption.ts';

// A payment keeps number and PIN of its gift cards until their redemption has an outcome. Until then the redemption may
// be sent again. The copy is the payment's own, because a stored card may be deleted meanwhile.

const context = ({ merchantAccountId, id }: Pick<Redemption, 'merchantAccountId' | 'id'>): SealContext => ({
  merchantAccountId,
  table: 'redemption',
  column: 'sealed_card',
  rowId: id,
});

/** Seals number and PIN of a gift card for one redemption. */
export const sealForRedemption = (
  vault: Vault,
  redemption: Pick<Redemption, 'merchantAccountId' | 'id'>,
  { number, pin }: GiftCardSecrets,
): Promise<string> => vault.seal(context(redemption), JSON.stringify({ number, pin }));

/** Opens number and PIN for one call. Throws after the outcome, because the copy is deleted then. */
export async function openForRedemption(vault: Vault, redemption: Redemption): Promise<GiftCardSecrets> {
  if (redemption.sealedCard === null) throw new Error(`The redemption ${redemption.id} has ended.`);
  return JSON.parse(await vault.open(context(redemption), redemption.sealedCard)) as GiftCardSecrets;
}
