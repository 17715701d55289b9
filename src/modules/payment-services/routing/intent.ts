import type { App } from '../../../app.ts';
import type { Definition } from '../../../connectors/interface/definition.ts';
import { listDefinitions } from '../model/definitions.ts';

/** The intent of a payment: authorise only, or also capture. */
export type Intent = 'authorize' | 'capture';

/**
 * Tells whether a definition can serve an intent. `authorize` needs a definition that can capture later. Gift cards pay
 * at once for either intent.
 */
export const serves = (
  { method, supportedFeatures }: Pick<Definition, 'method' | 'supportedFeatures'>,
  intent: Intent,
): boolean => intent === 'capture' || method === 'gift-card' || supportedFeatures.delayed_capture;

/** Lists the ids of the definitions that do not serve an intent. A null intent is served by all. */
export const listUnserving = (
  app: Pick<App, 'connectors' | 'config'>,
  intent: Intent | null,
): readonly string[] =>
  intent === null
    ? []
    : listDefinitions(app)
        .filter((definition) => !serves(definition, intent))
        .map(({ id }) => id);
