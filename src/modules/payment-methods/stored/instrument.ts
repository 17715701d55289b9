import type { Vault } from '../../../platform/vault/vault.ts';
import type { BankAccount } from '../../../connectors/interface/requests.ts';

/** An instrument in clear, for one call. Never stored, logged or returned. Never holds a security code. */
export type Instrument =
  | { readonly kind: 'card'; readonly number: string }
  | { readonly kind: 'network_token'; readonly token: string }
  | ({ readonly kind: 'bank_account' } & Omit<BankAccount, 'mandate'> & {
        /** Absent on accounts that were stored before mandates existed. */
        readonly mandate?: BankAccount['mandate'];
      });

type Owner = { readonly merchantAccountId: string; readonly id: string };

const instrumentContext = ({ merchantAccountId, id }: Owner) =>
  ({ merchantAccountId, table: 'payment_method', column: 'sealed_instrument', rowId: id }) as const;

/** Seals an instrument for the row of its payment method. Call outside a transaction. */
export const sealInstrument = (vault: Vault, owner: Owner, instrument: Instrument): Promise<string> =>
  vault.seal(instrumentContext(owner), JSON.stringify(instrument));

/** Opens an instrument that `sealInstrument` sealed for this payment method. */
export const unsealInstrument = async (vault: Vault, owner: Owner, sealed: string): Promise<Instrument> =>
  // The column holds only sealed instruments.
  JSON.parse(await vault.open(instrumentContext(owner), sealed)) as Instrument;

const tokenContext = ({ merchantAccountId, id }: Owner) =>
  ({ merchantAccountId, table: 'payment_method_token', column: 'sealed_token', rowId: id }) as const;

/** Seals a provider's token for the token's row. Call outside a transaction. */
export const sealToken = (vault: Vault, owner: Owner, token: string): Promise<string> =>
  vault.seal(tokenContext(owner), token);

/** Returns the keyed digest of a provider's token, by which a report finds the token. Call outside a transaction. */
export const digestToken = (vault: Vault, merchantAccountId: string, token: string): Promise<string> =>
  vault.fingerprint(merchantAccountId, `provider_token:${token}`);

/** Opens a token that `sealToken` sealed for this row. */
export const unsealToken = (vault: Vault, owner: Owner, sealed: string): Promise<string> =>
  vault.open(tokenContext(owner), sealed);
