import type { Card } from '../../connectors/connector.ts';
import type { Vault } from '../../platform/vault/vault.ts';

// A card is kept only while its authorisation is pending, so that reconciliation can ask again; never its security code
// (PCI DSS 3.3.1). Settling deletes it.

const context = (merchantAccountId: string, operationId: string) => ({
  merchantAccountId,
  table: 'operation',
  column: 'sealed_card',
  rowId: operationId,
});

/** Seals number and expiry of a card for one operation. */
export const sealCard = (
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  card: Card,
): Promise<string> =>
  vault.seal(
    context(merchantAccountId, operationId),
    JSON.stringify({ number: card.number, expirationDate: card.expirationDate }),
  );

/** The card of a pending authorisation, without its security code. */
export async function openCard(
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  sealed: string,
): Promise<Card> {
  const clear = JSON.parse(await vault.open(context(merchantAccountId, operationId), sealed)) as Omit<
    Card,
    'securityCode'
  >;
  return { ...clear, securityCode: null };
}
