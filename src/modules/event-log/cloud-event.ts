import type { EventName } from './event-names.ts';
import { publishedText } from './event-log.sql.ts';
import { complete, MOMENT, TEXT, UUID, type JsonSchema } from './json-schema.ts';

/** An event as consumers get it. */
export type OutgoingEvent = {
  /** The stored envelope. */
  readonly payload: string;
  /** Null for an event that is in no feed, such as a test event. */
  readonly sequence: bigint | null;
};

/** Returns the text of an event in the form of the feed. */
export const eventBody = ({ payload, sequence }: OutgoingEvent): string =>
  sequence === null ? payload : publishedText(payload, sequence);

/**
 * Returns an event in the structured mode of CloudEvents 1.0. `data` has the text of the feed, byte for byte.
 *
 * - `sequence`: the extension of that name. Twenty digits, so that the order of texts is the order of events.
 */
export function cloudEvent({ payload, sequence }: OutgoingEvent): string {
  // The service wrote the text.
  const { id, name, created_at, merchant_account_id, target } = JSON.parse(payload) as Envelope;
  const attributes = {
    ...{ specversion: SPEC_VERSION, id, type: name, time: created_at },
    source: `/merchant-accounts/${encodeURIComponent(merchant_account_id)}`,
    subject: `${target.type}/${target.id}`,
    datacontenttype: DATA_TYPE,
    ...(sequence !== null && { sequence: String(sequence).padStart(SEQUENCE_DIGITS, '0') }),
  };
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${eventBody({ payload, sequence })}}`;
}

/** Returns the JSON Schema of the CloudEvents of an event. `data` is the schema of the event itself. */
export const cloudEventSchema = (name: EventName, data: JsonSchema): JsonSchema =>
  complete({
    specversion: { const: SPEC_VERSION },
    id: { ...UUID, description: 'UUID of the event, the same in all its deliveries.' },
    type: { const: name },
    time: MOMENT,
    source: { ...TEXT, description: 'The merchant account, as `/merchant-accounts/` and its id.' },
    subject: { ...TEXT, description: 'The type and the id of the target, with a slash between them.' },
    datacontenttype: { const: DATA_TYPE },
    sequence: {
      ...{ type: 'string', pattern: `^[0-9]{${SEQUENCE_DIGITS}}$` },
      description: 'Position in the feed of the merchant account.',
    },
    data,
  });

const SPEC_VERSION = '1.0';
const DATA_TYPE = 'application/json';
const SEQUENCE_DIGITS = 20;

type Envelope = {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly merchant_account_id: string;
  readonly target: { readonly type: string; readonly id: string };
};
