import type { GiftCardSecrets } from '../../../connectors/interface/gift-cards.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { SealedGiftCard } from '../model/gift-card.ts';

type Owner = { readonly merchantAccountId: string; readonly id: string };

/** Seals number and PIN of a gift card and returns a digest of the number. */
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

/** Returns number and PIN in clear, for one call. Never store, log or return them. */
export async function openGiftCard(vault: Vault, card: SealedGiftCard): Promise<GiftCardSecrets> {
  const [number, pin] = await Promise.all([
    vault.open(placeOf(card, 'sealed_number'), card.sealedNumber),
    vault.open(placeOf(card, 'sealed_pin'), card.sealedPin),
  ]);
  return { number, pin };
}

/** Returns a keyed digest of a gift card number. Equal numbers of one merchant account have equal digests. */
export const giftCardDigest = (vault: Vault, merchantAccountId: string, number: string): Promise<string> =>
  vault.fingerprint(merchantAccountId, `gift_card.number:${number}`);

/**
 * Returns a keyed digest of PIN and number, for an idempotency key. The number hides that two cards share a
 * PIN.
 */
export const pinDigest = (
  vault: Vault,
  merchantAccountId: string,
  { number, pin }: GiftCardSecrets,
): Promise<string> => vault.fingerprint(merchantAccountId, `gift_card.pin:${number}:${pin}`);

const placeOf = ({ merchantAccountId, id }: Owner, column: 'sealed_number' | 'sealed_pin') =>
  ({ merchantAccountId, table: 'gift_card', column, rowId: id }) as const;
