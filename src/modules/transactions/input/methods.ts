import type { Connector } from '../../../connectors/interface/connector.ts';

/** Lists the methods of all connectors that a buyer approves at the provider's page or pays elsewhere. */
export function redirectMethods(connectors: readonly Pick<Connector, 'definitions'>[]): readonly string[] {
  const definitions = connectors.flatMap((connector) => connector.definitions);
  const methods = definitions.flatMap(({ method, approvalWindow }) =>
    approvalWindow && method !== 'card' ? [method] : [],
  );
  return [...new Set(methods)];
}
