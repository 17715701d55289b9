import type { App } from '../../../app.ts';
import type { SealContext } from '../../../platform/vault/vault.ts';
import type { Operation } from '../model/operation.ts';

/** The provider's words for the step of the buyer's client. The provider's software in the client takes them unchanged. */
export type ClientAction = Readonly<Record<string, unknown>>;

type Owner = Pick<Operation, 'merchantAccountId' | 'id'>;

/** A payment waits for a form or for an action, never for both, so they share a column. */
const context = ({ merchantAccountId, id }: Owner): SealContext => ({
  merchantAccountId,
  table: 'operation',
  column: 'sealed_form',
  rowId: id,
});

/** Seals an action, because providers put personal data into its fields. `action`: the text of a JSON object. */
export const sealAction = ({ vault }: Pick<App, 'vault'>, owner: Owner, action: string): Promise<string> =>
  vault.seal(context(owner), action);

export const openAction = async (
  { vault }: Pick<App, 'vault'>,
  owner: Owner,
  sealed: string,
): Promise<ClientAction> =>
  // The column of a session holds no other form.
  JSON.parse(await vault.open(context(owner), sealed)) as ClientAction;
