import { OWN_FORMS, TARGET_SCHEMAS, type TargetKind } from './target-schemas.ts';
import type { EventName } from './event-names.ts';
import { PAYLOAD_VERSION } from './payload-version.ts';
import { choice, complete, constant, MOMENT, TEXT, UUID, type JsonSchema } from './json-schema.ts';

/**
 * Returns the JSON Schema (2020-12) of the payloads of an event. A later version can add fields, so the schema accepts
 * unknown ones. Every listed field is in every payload.
 */
export const payloadSchema = (name: EventName): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: name,
  ...complete({
    sequence: { type: 'integer', minimum: 1, description: 'Position in the feed of the merchant account.' },
    version: {
      const: PAYLOAD_VERSION,
      description: 'It grows when a field goes away, or changes its type or its meaning.',
    },
    type: constant('event'),
    id: { ...UUID, description: 'UUID of the event, the same in all its deliveries.' },
    name: constant(name),
    created_at: MOMENT,
    merchant_account_id: TEXT,
    environment: choice('sandbox', 'production'),
    target: TARGET_SCHEMAS[targetKindOf(name)],
  }),
});

/** Returns the kind of record that an event is about. The compiler asks for a schema of each kind. */
export function targetKindOf(name: EventName): TargetKind {
  return OWN_FORMS.find((own) => own === name) ?? (name.slice(0, name.indexOf('.')) as TargetKind);
}
