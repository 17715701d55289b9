import type { App } from '../../../app.ts';
import type { SealContext } from '../../../platform/vault/vault.ts';
import type { Operation } from '../model/operation.ts';

/** A form that the buyer's browser posts to the provider's page. */
export type RedirectForm = { readonly url: string; readonly fields: Readonly<Record<string, string>> };

/** A code on a page of ours, for an app of the buyer. `appUrl` may open the app. */
export type ShownCode = { readonly qrCode: string; readonly appUrl?: string };

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

/** Returns the address of our page that shows the code. `token`: the token of the operation's approval page. */
export const codeAddressOf = ({ publicUrl }: Pick<App, 'publicUrl'>, token: string): string =>
  `${publicUrl}/code/${token}`;

/** Seals a form or a code, because providers put personal data into them. */
export const sealForm = (
  { vault }: Pick<App, 'vault'>,
  owner: Owner,
  form: RedirectForm | ShownCode,
): Promise<string> => vault.seal(context(owner), JSON.stringify(form));

export const openForm = async (
  { vault }: Pick<App, 'vault'>,
  owner: Owner,
  sealed: string,
): Promise<RedirectForm | ShownCode> =>
  // The column of a redirect holds nothing else.
  JSON.parse(await vault.open(context(owner), sealed)) as RedirectForm | ShownCode;
