import { examplePayload } from './event-examples.ts';
import { EVENT_MEANINGS } from './event-meanings.ts';
import { EVENT_NAMES, type EventName } from './event-names.ts';
import type { JsonSchema } from './json-schema.ts';
import { payloadSchema } from './payload-schemas.ts';
import { PAYLOAD_VERSION } from './payload-version.ts';

/** An event as a consumer's developer needs to know it. */
export type CatalogueEntry = {
  readonly name: EventName;
  /** The version of the payload. */
  readonly version: number;
  readonly meaning: string;
  readonly schema: JsonSchema;
  readonly example: Readonly<Record<string, unknown>>;
};

/** Lists every event that this version writes, in the order of `EVENT_NAMES`. */
export const eventCatalogue = (): readonly CatalogueEntry[] =>
  EVENT_NAMES.map((name) => ({
    ...{ name, version: PAYLOAD_VERSION, meaning: EVENT_MEANINGS[name] },
    ...{ schema: payloadSchema(name), example: examplePayload(name) },
  }));
