import type { Connector } from '../../../connectors/interface/connector.ts';

/**
 * Lists the methods of all connectors that a buyer approves at the provider's page or pays elsewhere. Cards are among them if some
 * provider has a page for cards.
 */
export function redirectMethods(connectors: readonly Pick<Connector, 'definitions'>[]): readonly string[] {
  const definitions = connectors.flatMap((connector) => connector.definitions);
  const methods = definitions.flatMap(({ method, approvalWindow, supportedFeatures }) =>
    approvalWindow && (method !== 'card' || supportedFeatures.card_page) ? [method] : [],
  );
  return [...new Set(methods)];
}
