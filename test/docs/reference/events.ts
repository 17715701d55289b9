import { EVENT_MEANINGS } from '../../../src/modules/event-log/event-meanings.ts';
import { EVENT_NAMES } from '../../../src/modules/event-log/event-names.ts';
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

[Payloads of events](event-payloads.md) has the fields of each payload, an example of each event, and the rule for its version. The
target of an event is a short form of the record.

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
