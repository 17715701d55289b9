import type { App } from '../../../app.ts';
import type { AntiFraudConnector, AntiFraudDefinition } from '../../../connectors/anti-fraud/connector.ts';

type Catalogue = Pick<App, 'antiFraudConnectors' | 'config'>;

/** The catalogue of anti-fraud services that can be configured here, by id. Those for the sandbox only are not in production's. */
export const listAntiFraudDefinitions = (app: Catalogue): readonly AntiFraudDefinition[] =>
  app.antiFraudConnectors
    .flatMap(({ definitions }) => definitions)
    .filter(({ sandboxOnly }) => !(sandboxOnly && app.config.production))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** One definition of the catalogue, or null. */
export const findAntiFraudDefinition = (app: Catalogue, id: string): AntiFraudDefinition | null =>
  listAntiFraudDefinitions(app).find((definition) => definition.id === id) ?? null;

/** A definition and the connector that it belongs to. */
export type AntiFraudProvider = {
  readonly definition: AntiFraudDefinition;
  readonly connector: AntiFraudConnector;
};

/** A definition with the connector that it belongs to, whether or not it may be newly configured; null when no connector has it. */
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

/** The same, to judge a payment: null also of what is for the sandbox only in production. */
export const findAntiFraudJudge = (app: Catalogue, definitionId: string): AntiFraudProvider | null =>
  findAntiFraudDefinition(app, definitionId) && findAntiFraudProvider(app, definitionId);
