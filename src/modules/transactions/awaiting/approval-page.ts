import type { App } from '../../../app.ts';
import type { Definition } from '../../../connectors/definition.ts';
import type { Operation } from '../model/operation.ts';

/** Of a token: 128 bits, as hexadecimal digits. */
const TOKEN_LENGTH = 32;

/**
 * What the page of an authorisation is known by: nobody can guess it, and it is the same whenever it is asked, so that a
 * repeat of the authorisation is the same request.
 */
export async function approvalTokenOf(
  { vault }: Pick<App, 'vault'>,
  { merchantAccountId, id }: Pick<Operation, 'merchantAccountId' | 'id'>,
): Promise<string> {
  const digest = await vault.fingerprint(merchantAccountId, `approval of ${id}`);
  return digest.slice(0, TOKEN_LENGTH);
}

/** The address of the page that a token stands for. */
export const approvalAddressOf = ({ publicUrl }: Pick<App, 'publicUrl'>, token: string): string =>
  `${publicUrl}/approve/${token}`;

/** The page at which the buyer of an authorisation approves at the provider's; null when nothing of the definition waits for the buyer. */
export const approvalPageOf = async (
  app: Pick<App, 'vault' | 'publicUrl'>,
  operation: Operation,
  { approvalWindow }: Pick<Definition, 'approvalWindow'>,
): Promise<string | null> =>
  operation.kind === 'authorize' && approvalWindow
    ? approvalAddressOf(app, await approvalTokenOf(app, operation))
    : null;
