import { EVENT_MEANINGS } from '../../../src/modules/event-log/event-meanings.ts';
import { EVENT_NAMES } from '../../../src/modules/event-log/event-names.ts';
import { TARGET_SCHEMAS } from '../../../src/modules/event-log/target-schemas.ts';
import { SPELLINGS } from './spelling.ts';
import { code, table, WRITTEN } from './table.ts';

/** Writes the page of event names. */
export const eventsPage = (): string => `${WRITTEN}

# Events

A consumer selects events by name, or by a pattern such as \`transaction.*\`. A later version can add names. The
query \`eventTypes\` answers the same list. [The concept](../concepts/events.md) explains the feed, its order and its cursors.

${table(
  ['name', 'meaning'],
  EVENT_NAMES.map((name) => [code(name), EVENT_MEANINGS[name]]),
)}

## Payloads

Every payload has the fields ${['sequence', 'type', 'id', 'name', 'created_at', 'merchant_account_id', 'environment', 'target'].map(code).join(', ')}.
The query \`eventTypes\` answers a JSON Schema of each payload in \`payloadSchema\`. The target is a short form of the record:

${table(
  ['events', 'fields of the target'],
  Object.entries(TARGET_SCHEMAS).map(([kind, { required }]) => [
    code(kind.includes('.') ? kind : `${kind}.*`),
    (required as readonly string[]).map(code).join(', '),
  ]),
)}

## Spelling

The API writes the values of enums in capital letters, for example \`AUTHORIZATION_SUCCEEDED\`. Everywhere else the same value is
in lower case, for example \`authorization_succeeded\`:

- in the payloads of events and webhooks
- in \`transaction_status\` of a return address
- in \`context\` of a payment's history

${table(
  ['events', 'field', 'enum of the API', 'exceptions'],
  SPELLINGS.map(({ events, field, enum: name, others = {} }) => [
    code(events.includes('.') ? events : `${events}.*`),
    code(field),
    code(name),
    Object.entries(others)
      .map(([word, value]) =>
        value === null ? `${code(word)} only in events` : `${code(word)} is ${code(value)}`,
      )
      .join(', '),
  ]),
)}

The [codes of payments](error-codes.md#codes-of-payments) are in lower case everywhere. \`GiftCardErrorCode\` has the codes of
gift cards in capital letters.
`;
