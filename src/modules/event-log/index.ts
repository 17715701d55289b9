export { envelopeText, eventExpressions, recordEvent, withSequence, type NewEvent } from './event-log.sql.ts';
export { EVENT_MEANINGS } from './event-meanings.ts';
export { payloadSchema } from './payload-schemas.ts';
export { EVENT_NAMES, type EventName } from './event-names.ts';
