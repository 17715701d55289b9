import type { App } from '../../../app.ts';
import type { Definition } from '../../../connectors/interface/definition.ts';
import type { Operation } from '../model/operation.ts';

/** The length of a token: 128 bits, as hexadecimal digits. */
const TOKEN_LENGTH = 32;

/**
 * Makes the token of an authorisation's approval page. Nobody can guess the token. It is the same at each call, so that
 * a repeat of the authorisation is the same request.
 */
export async function approvalTokenOf(
  { vault }: Pick<App, 'vault'>,
  { merchantAccountId, id }: Pick<Operation, 'merchantAccountId' | 'id'>,
): Promise<string> {
  const digest = await vault.fingerprint(merchantAccountId, `approval of ${id}`);
  return digest.slice(0, TOKEN_LENGTH);
}

/** Returns the address of a token's page. */
export const approvalAddressOf = ({ publicUrl }: Pick<App, 'publicUrl'>, token: string): string =>
  `${publicUrl}/approve/${token}`;

/**
 * Returns the page where the buyer approves an authorisation. Null when the definition's payments wait for no buyer.
 */
export const approvalPageOf = async (
  app: Pick<App, 'vault' | 'publicUrl'>,
  operation: Operation,
  { approvalWindow }: Pick<Definition, 'approvalWindow'>,
): Promise<string | null> =>
  operation.kind === 'authorize' && approvalWindow
    ? approvalAddressOf(app, await approvalTokenOf(app, operation))
    : null;
