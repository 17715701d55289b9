import type { App } from '../../../app.ts';
import type { SealContext } from '../../../platform/vault/vault.ts';
import type { Operation } from '../model/operation.ts';

/** A form that the buyer's browser posts to the provider's page. */
export type RedirectForm = { readonly url: string; readonly fields: Readonly<Record<string, string>> };

type Owner = Pick<Operation, 'merchantAccountId' | 'id'>;

const context = ({ merchantAccountId, id }: Owner): SealContext => ({
  merchantAccountId,
  table: 'operation',
  column: 'sealed_form',
  rowId: id,
});

/** Returns the address of our page that posts the form. `token`: the token of the operation's approval page. */
export const formAddressOf = ({ publicUrl }: Pick<App, 'publicUrl'>, token: string): string =>
  `${publicUrl}/go/${token}`;

/** Seals a form, because providers put personal data into its fields. */
export const sealForm = ({ vault }: Pick<App, 'vault'>, owner: Owner, form: RedirectForm): Promise<string> =>
  vault.seal(context(owner), JSON.stringify(form));

export const openForm = async (
  { vault }: Pick<App, 'vault'>,
  owner: Owner,
  sealed: string,
): Promise<RedirectForm> =>
  // The column holds no other form.
  JSON.parse(await vault.open(context(owner), sealed)) as RedirectForm;
