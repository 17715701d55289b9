import type { App } from '../../../app.ts';
import { areSmall } from '../../../connectors/reading/words.ts';
import type { ResumeRequest } from '../../../connectors/interface/requests.ts';
import type { SealContext } from '../../../platform/vault/vault.ts';
import type { Operation } from '../model/operation.ts';

/** The parameters with which a buyer comes back. Providers put secrets and personal data into them. */
export type Returned = ResumeRequest['returned'];

/** True if the parameters are few and small enough: at most 50, with 20 000 characters in all. */
export const isStorableReturn = areSmall;

type Owner = Pick<Operation, 'merchantAccountId' | 'id'>;

const context = ({ merchantAccountId, id }: Owner): SealContext => ({
  merchantAccountId,
  table: 'operation',
  column: 'sealed_returned',
  rowId: id,
});

/** Seals the parameters of a return, so that a repeat of the request to the provider has the same ones. */
export const sealReturned = (
  { vault }: Pick<App, 'vault'>,
  owner: Owner,
  returned: Returned,
): Promise<string> => vault.seal(context(owner), JSON.stringify(returned));

/** Opens the parameters of a return. Empty for a session, which has none. */
export const openReturned = async (
  { vault }: Pick<App, 'vault'>,
  { sealedReturned, ...owner }: Owner & Pick<Operation, 'sealedReturned'>,
): Promise<Returned> =>
  // The column holds no other form.
  sealedReturned === null ? {} : (JSON.parse(await vault.open(context(owner), sealedReturned)) as Returned);
