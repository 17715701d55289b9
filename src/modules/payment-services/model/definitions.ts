import type { App } from '../../../app.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import { unitOf } from '../../../connectors/codes/amounts.ts';
import type { Connector } from '../../../connectors/interface/connector.ts';
import type { Definition, Feature } from '../../../connectors/interface/definition.ts';

/** True in a sandbox, and in production with PAYGRAPH_ALLOW_SANDBOX_PROVIDERS. */
export const offersSandbox = ({ production, PAYGRAPH_ALLOW_SANDBOX_PROVIDERS }: App['config']): boolean =>
  !production || PAYGRAPH_ALLOW_SANDBOX_PROVIDERS;

/** Lists the definitions that can be configured here, by id. Production leaves out definitions for the sandbox only. */
export const listDefinitions = (app: Pick<App, 'connectors' | 'config'>): readonly Definition[] =>
  offersSandbox(app.config) ? byId(app.connectors) : realById(app.connectors);

/** All definitions by id. Every payment asks for them, so they are sorted once. */
const byId = oncePer((connectors: App['connectors']): readonly Definition[] =>
  connectors.flatMap(({ definitions }) => definitions).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
);

const realById = oncePer((connectors: App['connectors']): readonly Definition[] =>
  byId(connectors).filter(({ sandboxOnly }) => !sandboxOnly),
);

/** Lists the ids of the catalogue. A service of any other definition takes no new payment here. */
export const listDefinitionIds = (app: Pick<App, 'connectors' | 'config'>): readonly string[] =>
  listDefinitions(app).map(({ id }) => id);

/** Finds one definition of the catalogue, or null. */
export const findDefinition = (app: Pick<App, 'connectors' | 'config'>, id: string): Definition | null =>
  listDefinitions(app).find((definition) => definition.id === id) ?? null;

/** Finds a definition with its connector, even if the catalogue no longer offers it. Null when no connector has it. */
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

/** Returns the smallest amount that the provider of a definition can express in a currency, in minor units. */
export const smallestAmountOf = (
  app: Pick<App, 'connectors'>,
  { definitionId, currency }: { readonly definitionId: string; readonly currency: string },
): number => unitOf(currency, findProvider(app, definitionId)?.connector.amounts ?? {});

/** Lists the ids of the definitions that have a feature, even those that the catalogue no longer offers. */
export const definitionsWith = (app: Pick<App, 'connectors'>, feature: Feature): readonly string[] =>
  app.connectors
    .flatMap(({ definitions }) => definitions)
    .filter(({ supportedFeatures }) => supportedFeatures[feature])
    .map(({ id }) => id);

/** The times of a provider after an acceptance, in milliseconds. One is to decide, one to tell of a buyer who paid. */
export type AcceptanceWindows = { readonly decisionWindowMs: number; readonly toldWithinMs: number };

/** Returns the times of a definition after an acceptance. Throws without a connector. */
export function acceptanceWindowsOf(app: Pick<App, 'connectors'>, definitionId: string): AcceptanceWindows {
  const provider = findProvider(app, definitionId);
  if (!provider) throw new Error(`No connector has the definition ${definitionId}.`);
  const { decisionWindowMs, approvalWindow } = provider.definition;
  return { decisionWindowMs, toldWithinMs: approvalWindow?.toldWithinMs ?? 0 };
}
