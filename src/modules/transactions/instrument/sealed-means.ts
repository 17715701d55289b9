import type { BankAccount, Card, NetworkToken, WalletToken } from '../../../connectors/interface/requests.ts';
import { EARLIER_TERMS, type Terms } from './terms.ts';
import type { SealContext, Vault } from '../../../platform/vault/vault.ts';

// The means to pay are stored only while the authorisation is pending, so that reconciliation can send the authorisation again. The
// security code and the cryptogram are never stored (PCI DSS 3.3.1). Settling deletes the means. The terms are no secret, but
// they belong to the same request.

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
  /** The provider's own token: of the stored payment method, or of its software in the buyer's client. */
  readonly token: string | null;
  readonly wallet: WalletToken | null;
  /** Only the first attempt has the cryptogram. */
  readonly networkToken: NetworkToken | null;
};

export const NO_MEANS: Means = { card: null, bank: null, token: null, wallet: null, networkToken: null };

/** Picks the means out of a larger record. A token replaces the others. */
export const meansOf = ({ card, bank, wallet, networkToken }: Means, token: string | null): Means => ({
  card,
  bank,
  token,
  wallet,
  networkToken,
});

/** Seals the means and the terms of one operation, or returns null without any. */
export async function sealMeans(
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  { terms, ...means }: MeansWithTerms,
): Promise<string | null> {
  const kept = keptOf(means);
  return kept && vault.seal(context(merchantAccountId, operationId), JSON.stringify({ ...kept, terms }));
}

/** The means of an authorisation at one service, with the service's terms. */
export type MeansWithTerms = Means & { readonly terms: Terms };

/** The part of the means that may be stored. */
type Kept =
  | { readonly token: string }
  | { readonly bank: BankAccount }
  | { readonly wallet: WalletToken }
  | { readonly networkToken: Omit<NetworkToken, 'cryptogram'> }
  | Pick<Card, 'number' | 'expirationDate'>;

/** The content of the column. Terms are absent from means that were sealed before the terms existed. */
type Sealed = Kept & { readonly terms?: Partial<Terms> };

function keptOf({ card, bank, token, wallet, networkToken }: Means): Kept | null {
  if (token !== null) return { token };
  if (bank) return { bank };
  if (wallet) return { wallet };
  if (networkToken) {
    const { number, expirationDate, eci } = networkToken;
    return { networkToken: { number, expirationDate, eci } };
  }
  return card && { number: card.number, expirationDate: card.expirationDate };
}

/**
 * Opens the means of a pending authorisation. A card has no security code, and a network token no cryptogram. A null
 * `sealed` opens to no means.
 */
export async function openMeans(
  vault: Vault,
  merchantAccountId: string,
  operationId: string,
  sealed: string | null,
): Promise<MeansWithTerms> {
  if (sealed === null) return { ...NO_MEANS, terms: EARLIER_TERMS };
  // The column holds no other form.
  const clear = JSON.parse(await vault.open(context(merchantAccountId, operationId), sealed)) as Sealed;
  const { terms, ...kept } = clear;
  return { ...opened(kept), terms: { ...EARLIER_TERMS, ...terms } };
}

function opened(kept: Kept): Means {
  if ('token' in kept) return { ...NO_MEANS, token: kept.token };
  if ('bank' in kept) return { ...NO_MEANS, bank: kept.bank };
  if ('wallet' in kept) return { ...NO_MEANS, wallet: kept.wallet };
  if ('networkToken' in kept)
    return { ...NO_MEANS, networkToken: { ...kept.networkToken, cryptogram: null } };
  return { ...NO_MEANS, card: { ...kept, securityCode: null } };
}
