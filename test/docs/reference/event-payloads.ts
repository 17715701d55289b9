import {
  eventCatalogue,
  PAYLOAD_VERSION,
  targetKindOf,
  type CatalogueEntry,
} from '../../../src/modules/event-log/index.ts';
import { fieldsOf, type Field } from './schema-fields.ts';
import { code, table, WRITTEN } from './table.ts';

/** Writes the page of payloads: the fields of each kind of record, and an example of each event. */
export function eventPayloadsPage(): string {
  const kinds = Map.groupBy(eventCatalogue(), kindOf);
  const [[, [first] = []] = []] = kinds;
  if (!first) throw new Error('No event is in the catalogue.');
  return `${WRITTEN}

# Payloads of events

A [webhook](../guides/webhooks.md), \`payload\` of the query \`events\` and a [live event](../guides/live-events.md) carry the same
text. Tools read the JSON Schema and the example of each event:

| address | form |
| --- | --- |
| \`/events/catalogue.json\` | each event with its meaning, JSON Schema and example |
| \`/asyncapi.json\` | an AsyncAPI 3 document |
| \`query { eventTypes { payloadSchema } }\` | each event with its JSON Schema |

[The types of the client](../guides/live-events.md#types-of-payloads) are the same for TypeScript.

## Version

Every payload has a \`version\`. At present the version is ${PAYLOAD_VERSION}. An event keeps the version that it was written in.

| change | version |
| --- | --- |
| a new event, a new field, a new word of an enum | stays |
| a field goes away, or changes its type or its meaning | grows by 1 |

A consumer ignores fields and events that it does not know. It refuses a version that it does not know.

## Envelope

${fieldTable(envelopeFields(first))}

A test event has no \`sequence\`, because it is in no feed.

${[...kinds.values()].map(kindSection).join('\n\n')}
`;
}

/** The kind of record is the first word of the name. Some events have a form of their own. */
const kindOf = ({ name }: CatalogueEntry): string => targetKindOf(name);

const envelopeFields = ({ schema }: CatalogueEntry): readonly Field[] =>
  fieldsOf(schema)
    .filter(({ name }) => !name.startsWith('target.'))
    .map((field) => (field.name === 'name' ? { ...field, type: 'name of the event' } : field));

function kindSection(entries: readonly CatalogueEntry[]): string {
  const [first] = entries;
  if (!first) return '';
  const kind = kindOf(first);
  const fields = fieldsOf(first.schema).filter(({ name }) => name.startsWith('target.'));
  return `## ${kind === first.name ? kind : `${kind}.\\*`}

${fieldTable(fields)}

${entries.map(example).join('\n\n')}`;
}

const fieldTable = (fields: readonly Field[]): string =>
  table(
    ['field', 'type', 'meaning'],
    fields.map(({ name, type, meaning }) => [code(name), type, meaning]),
  );

const example = ({ name, meaning, example: payload }: CatalogueEntry): string => `### ${code(name)}

${meaning}

\`\`\`json
${JSON.stringify(payload, null, 2)}
\`\`\``;
