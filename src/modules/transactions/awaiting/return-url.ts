import type { App } from '../../../app.ts';
import type { Definition } from '../../../connectors/interface/definition.ts';
import type { Operation } from '../model/operation.ts';
import { tokenFor } from './session-token.ts';

/**
 * Returns our address to which the provider sends the buyer back. The same at each call, so that a repeat of the
 * authorisation is the same request. Null when the definition's payments wait for no buyer.
 */
export const returnUrlOf = async (
  app: Pick<App, 'vault' | 'publicUrl'>,
  operation: Operation,
  { approvalWindow }: Pick<Definition, 'approvalWindow'>,
): Promise<string | null> =>
  approvalWindow ? `${app.publicUrl}/return/${await tokenFor(app, 'return', operation)}` : null;
