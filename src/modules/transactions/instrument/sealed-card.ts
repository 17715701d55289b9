import type { Card } from '../../../connectors/requests.ts';
import type { SealContext, Vault } from '../../../platform/vault/vault.ts';

// A card is stored only while its authorisation is pending, so that reconciliation can send the authorisation again. The security
// code is never stored (PCI DSS 3.3.1). Settling deletes the card.

const context = (merchantAccountId: string, operationId: string): SealContext => ({
  merchantAccountId,
  table: 'operation',
  column: 'sealed_card',
  rowId: operationId,
});

/** The means of an authorisation: a card, or the provider's token for the payment method. Null when neither pays. */
export type Means = { readonly card: Card | null; readonly token: string | null };

/** Seals the means of one operation, or returns null without any. A token replaces the card. */
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

/** Opens the means of a pending authorisation. A card has no security code. A null `sealed` opens to no means. */
export async function openMeans(
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  sealed: string | null,
): Promise<Means> {
  if (sealed === null) return { card: null, token: null };
  // The column holds no other form.
  const clear = JSON.parse(await vault.open(context(merchantAccountId, operationId), sealed)) as
    | { readonly token: string }
    | Omit<Card, 'securityCode'>;
  return 'token' in clear
    ? { card: null, token: clear.token }
    : { card: { ...clear, securityCode: null }, token: null };
}
