import type { GiftCardSecrets } from '../../../connectors/gift-cards.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { SealedGiftCard } from '../gift-card.ts';

type Owner = { readonly merchantAccountId: string; readonly id: string };

/** Number and PIN of a gift card as they are kept, and the digest that the number is known by. */
export async function sealGiftCard(
  vault: Vault,
  owner: Owner,
  { number, pin }: GiftCardSecrets,
): Promise<Pick<SealedGiftCard, 'sealedNumber' | 'sealedPin' | 'fingerprint'>> {
  const [sealedNumber, sealedPin, fingerprint] = await Promise.all([
    vault.seal(placeOf(owner, 'sealed_number'), number),
    vault.seal(placeOf(owner, 'sealed_pin'), pin),
    giftCardDigest(vault, owner.merchantAccountId, number),
  ]);
  return { sealedNumber, sealedPin, fingerprint };
}

/** Number and PIN in clear: for one call, never stored, logged or returned. */
export async function openGiftCard(vault: Vault, card: SealedGiftCard): Promise<GiftCardSecrets> {
  const [number, pin] = await Promise.all([
    vault.open(placeOf(card, 'sealed_number'), card.sealedNumber),
    vault.open(placeOf(card, 'sealed_pin'), card.sealedPin),
  ]);
  return { number, pin };
}

/** Keyed digest of a gift card's number, the same for one merchant account. */
export const giftCardDigest = (vault: Vault, merchantAccountId: string, number: string): Promise<string> =>
  vault.fingerprint(merchantAccountId, `gift_card.number:${number}`);

/** The same of a PIN together with its number, so that cards with one PIN are not told; for the record of an idempotency key. */
export const pinDigest = (
  vault: Vault,
  merchantAccountId: string,
  { number, pin }: GiftCardSecrets,
): Promise<string> => vault.fingerprint(merchantAccountId, `gift_card.pin:${number}:${pin}`);

const placeOf = ({ merchantAccountId, id }: Owner, column: 'sealed_number' | 'sealed_pin') =>
  ({ merchantAccountId, table: 'gift_card', column, rowId: id }) as const;
