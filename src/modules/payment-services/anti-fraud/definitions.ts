import type { App } from '../../../app.ts';
import type { AntiFraudConnector, AntiFraudDefinition } from '../../../connectors/anti-fraud/connector.ts';
import { offersSandbox } from '../model/definitions.ts';

type Catalogue = Pick<App, 'antiFraudConnectors' | 'config'>;

/**
 * Lists the anti-fraud definitions that can be configured here, by id. Production leaves out definitions for the
 * sandbox only.
 */
export const listAntiFraudDefinitions = (app: Catalogue): readonly AntiFraudDefinition[] =>
  app.antiFraudConnectors
    .flatMap(({ definitions }) => definitions)
    .filter(({ sandboxOnly }) => !sandboxOnly || offersSandbox(app.config))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Finds one definition of the catalogue, or null. */
export const findAntiFraudDefinition = (app: Catalogue, id: string): AntiFraudDefinition | null =>
  listAntiFraudDefinitions(app).find((definition) => definition.id === id) ?? null;

/** A definition and its connector. */
export type AntiFraudProvider = {
  readonly definition: AntiFraudDefinition;
  readonly connector: AntiFraudConnector;
};

/** Finds a definition with its connector, even if the catalogue no longer offers it. Null when no connector has it. */
export function findAntiFraudProvider(
  app: Pick<App, 'antiFraudConnectors'>,
  definitionId: string,
): AntiFraudProvider | null {
  for (const connector of app.antiFraudConnectors) {
    const definition = connector.definitions.find(({ id }) => id === definitionId);
    if (definition) return { definition, connector };
  }
  return null;
}

/**
 * Finds a definition with its connector for a check. In production, null also for a definition for the sandbox only.
 */
export const findAntiFraudJudge = (app: Catalogue, definitionId: string): AntiFraudProvider | null =>
  findAntiFraudDefinition(app, definitionId) && findAntiFraudProvider(app, definitionId);
