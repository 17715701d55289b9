import type { App } from '../../app.ts';
import type { Connector, Definition } from '../../connectors/connector.ts';

/** The catalogue of what can be configured here, by id. Definitions for the sandbox only are not in production's. */
export const listDefinitions = (app: Pick<App, 'connectors' | 'config'>): readonly Definition[] =>
  app.connectors
    .flatMap(({ definitions }) => definitions)
    .filter(({ sandboxOnly }) => !(sandboxOnly && app.config.production))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

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
