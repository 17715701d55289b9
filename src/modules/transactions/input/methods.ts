import type { Connector } from '../../../connectors/connector.ts';

/** Methods that a buyer approves at the provider's page, or pays elsewhere, of all connectors that are here. */
export function redirectMethods(connectors: readonly Pick<Connector, 'definitions'>[]): readonly string[] {
  const definitions = connectors.flatMap((connector) => connector.definitions);
  const methods = definitions.flatMap(({ method, approvalWindow }) =>
    approvalWindow && method !== 'card' ? [method] : [],
  );
  return [...new Set(methods)];
}
