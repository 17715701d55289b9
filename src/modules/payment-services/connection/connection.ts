import type { App } from '../../../app.ts';
import type { Connector } from '../../../connectors/interface/connector.ts';
import type { Credentials } from '../../../connectors/interface/call-context.ts';
import type { Definition } from '../../../connectors/interface/definition.ts';
import { openCredentials } from '../credentials/credentials.ts';
import { findProvider } from '../model/definitions.ts';
import type { ConnectionRow } from '../store.ts';

/**
 * Everything that a provider call needs. The credentials are in clear, for one call: never store, log or return them.
 */
export type Connection = {
  readonly definition: Definition;
  readonly connector: Connector;
  readonly credentials: Credentials;
};

/**
 * Opens a payment service for a call. Includes deleted services, whose transactions can still be captured and refunded.
 * Throws when no connector has the definition.
 */
export async function connectionOf(
  app: Pick<App, 'vault' | 'connectors'>,
  merchantAccountId: string,
  row: ConnectionRow,
): Promise<Connection> {
  const provider = findProvider(app, row.definitionId);
  if (!provider) throw new Error(`No connector has the definition ${row.definitionId}.`);
  const owner = { table: 'payment_service', merchantAccountId, id: row.id } as const;
  return { ...provider, credentials: await openCredentials(app.vault, owner, row) };
}
