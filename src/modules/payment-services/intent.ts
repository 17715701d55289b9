import type { App } from '../../app.ts';
import type { Definition } from '../../connectors/definition.ts';
import { listDefinitions } from './definitions.ts';

/** Whether a payment is to be authorised only, or captured as well. */
export type Intent = 'authorize' | 'capture';

/**
 * Whether a payment with this intent can be made at a service of a definition: what is only authorised must be possible to
 * capture later. Gift cards pay at once, whatever the intent.
 */
export const serves = (
  { method, supportedFeatures }: Pick<Definition, 'method' | 'supportedFeatures'>,
  intent: Intent,
): boolean => intent === 'capture' || method === 'gift-card' || supportedFeatures.delayed_capture;

/** The ids of the catalogue's definitions that do not serve an intent; null: any will do. */
export const listUnserving = (
  app: Pick<App, 'connectors' | 'config'>,
  intent: Intent | null,
): readonly string[] =>
  intent === null
    ? []
    : listDefinitions(app)
        .filter((definition) => !serves(definition, intent))
        .map(({ id }) => id);
