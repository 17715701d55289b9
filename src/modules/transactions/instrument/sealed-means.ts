import type { BankAccount, Card } from '../../../connectors/requests.ts';
import type { SealContext, Vault } from '../../../platform/vault/vault.ts';

// The means to pay are stored only while the authorisation is pending, so that reconciliation can send the authorisation again. The
// security code is never stored (PCI DSS 3.3.1). Settling deletes the means.

const context = (merchantAccountId: string, operationId: string): SealContext => ({
  merchantAccountId,
  table: 'operation',
  column: 'sealed_card',
  rowId: operationId,
});

/** The means of an authorisation in clear. At most one is not null. All are null when gift cards or the provider's page pay. */
export type Means = {
  /** Only the first attempt has the security code. */
  readonly card: Card | null;
  readonly bank: BankAccount | null;
  /** The provider's own token of the payment method. */
  readonly token: string | null;
};

const NOTHING: Means = { card: null, bank: null, token: null };

/** Seals the means of one operation, or returns null without any. A token replaces the card. */
export async function sealMeans(
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  { card, bank, token }: Means,
): Promise<string | null> {
  const sealed = token === null ? (bank ? { bank } : card && withoutCode(card)) : { token };
  return sealed && vault.seal(context(merchantAccountId, operationId), JSON.stringify(sealed));
}

const withoutCode = ({ number, expirationDate }: Card) => ({ number, expirationDate });

/** Opens the means of a pending authorisation. A card has no security code. A null `sealed` opens to no means. */
export async function openMeans(
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  sealed: string | null,
): Promise<Means> {
  if (sealed === null) return NOTHING;
  // The column holds no other form.
  const clear = JSON.parse(await vault.open(context(merchantAccountId, operationId), sealed)) as
    | { readonly token: string }
    | { readonly bank: BankAccount }
    | Omit<Card, 'securityCode'>;
  if ('token' in clear) return { ...NOTHING, token: clear.token };
  if ('bank' in clear) return { ...NOTHING, bank: clear.bank };
  return { ...NOTHING, card: { ...clear, securityCode: null } };
}
