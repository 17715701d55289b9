import type { Connector } from '../../../connectors/connector.ts';
import type { Intent } from '../transaction.ts';
import { serves } from './intent.ts';

/** Methods that a buyer approves at the provider's page, or pays elsewhere, of all connectors that are here; with an intent, those that serve it. */
export function redirectMethods(
  connectors: readonly Pick<Connector, 'definitions'>[],
  intent?: Intent,
): readonly string[] {
  const definitions = connectors.flatMap((connector) => connector.definitions);
  const methods = definitions
    .filter((definition) => intent === undefined || serves(definition, intent))
    .flatMap(({ method, approvalWindow }) => (approvalWindow && method !== 'card' ? [method] : []));
  return [...new Set(methods)];
}
