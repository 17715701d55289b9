import type { Card } from '../../../connectors/connector.ts';
import type { SealContext, Vault } from '../../../platform/vault/vault.ts';

// A card is kept only while its authorisation is pending, so that reconciliation can ask again; never its security code
// (PCI DSS 3.3.1). Settling deletes it.

const context = (merchantAccountId: string, operationId: string): SealContext => ({
  merchantAccountId,
  table: 'operation',
  column: 'sealed_card',
  rowId: operationId,
});

/** What an authorisation is asked for with: a card, or what its provider calls the payment method; null: neither pays. */
export type Means = { readonly card: Card | null; readonly token: string | null };

/** Seals what pays for one operation; null when nothing does. A token pays in the place of the card. */
export async function sealMeans(
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  { card, token }: Means,
): Promise<string | null> {
  if (token !== null) return vault.seal(context(merchantAccountId, operationId), JSON.stringify({ token }));
  return card && sealCard(vault, merchantAccountId, operationId, card);
}

/** Seals number and expiry of a card for one operation. */
const sealCard = (
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  card: Card,
): Promise<string> =>
  vault.seal(
    context(merchantAccountId, operationId),
    JSON.stringify({ number: card.number, expirationDate: card.expirationDate }),
  );

/** What pays a pending authorisation, a card without its security code. `sealed` null: nothing that is known here does. */
export async function openMeans(
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  sealed: string | null,
): Promise<Means> {
  if (sealed === null) return { card: null, token: null };
  // Nothing else is sealed there.
  const clear = JSON.parse(await vault.open(context(merchantAccountId, operationId), sealed)) as
    { readonly token: string } | Omit<Card, 'securityCode'>;
  return 'token' in clear
    ? { card: null, token: clear.token }
    : { card: { ...clear, securityCode: null }, token: null };
}
