export { asyncApiDocument } from './async-api.ts';
export { eventCatalogue, type CatalogueEntry } from './catalogue.ts';
export { cloudEvent, eventBody, type OutgoingEvent } from './cloud-event.ts';
export {
  envelopeText,
  eventExpressions,
  publishedText,
  recordEvent,
  type EventFields,
  type NewEvent,
} from './event-log.sql.ts';
export { EVENT_MEANINGS } from './event-meanings.ts';
export { envelopeExpression, momentExpression } from './envelope.sql.ts';
export type { NameOf, Target } from './target-schemas.ts';
export { payloadSchema, targetKindOf } from './payload-schemas.ts';
export { PAYLOAD_VERSION } from './payload-version.ts';
export { EVENT_NAMES, type EventName } from './event-names.ts';
