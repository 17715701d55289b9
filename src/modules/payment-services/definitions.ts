import type { App } from '../../app.ts';
import type { Connector } from '../../connectors/connector.ts';
import type { Definition, Feature } from '../../connectors/definition.ts';

/** The catalogue of what can be configured here, by id. Definitions for the sandbox only are not in production's. */
export const listDefinitions = (app: Pick<App, 'connectors' | 'config'>): readonly Definition[] =>
  app.connectors
    .flatMap(({ definitions }) => definitions)
    .filter(({ sandboxOnly }) => !(sandboxOnly && app.config.production))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** The ids of the catalogue: a service of any other definition takes no new payment here. */
export const listDefinitionIds = (app: Pick<App, 'connectors' | 'config'>): readonly string[] =>
  listDefinitions(app).map(({ id }) => id);

/** One definition of the catalogue, or null. */
export const findDefinition = (app: Pick<App, 'connectors' | 'config'>, id: string): Definition | null =>
  listDefinitions(app).find((definition) => definition.id === id) ?? null;

/** A definition with the connector that it belongs to, whether or not it may be newly configured; null when no connector has it. */
export function findProvider(
  app: Pick<App, 'connectors'>,
  definitionId: string,
): { readonly definition: Definition; readonly connector: Connector } | null {
  for (const connector of app.connectors) {
    const definition = connector.definitions.find(({ id }) => id === definitionId);
    if (definition) return { definition, connector };
  }
  return null;
}

/** The ids of the definitions that have a feature, whether or not they may be newly configured. */
export const definitionsWith = (app: Pick<App, 'connectors'>, feature: Feature): readonly string[] =>
  app.connectors
    .flatMap(({ definitions }) => definitions)
    .filter(({ supportedFeatures }) => supportedFeatures[feature])
    .map(({ id }) => id);
