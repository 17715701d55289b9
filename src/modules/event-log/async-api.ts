import { eventCatalogue, type CatalogueEntry } from './catalogue.ts';
import { cloudEvent, cloudEventSchema } from './cloud-event.ts';
import type { JsonSchema } from './json-schema.ts';
import { PAYLOAD_VERSION } from './payload-version.ts';

const ref = (path: string): JsonSchema => ({ $ref: `#/${path}` });

/** Headers of Standard Webhooks. */
const HEADERS: JsonSchema = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { type: 'string', description: 'Id of the event, the same at every attempt.' },
    'webhook-timestamp': { type: 'string', description: 'Time of the attempt, in seconds since 1970.' },
    'webhook-signature': {
      type: 'string',
      description: 'A signature by each live secret, `v1,` and base64.',
    },
  },
};

/** Returns the schema of a payload without its dialect. AsyncAPI names the dialect of all its schemas. */
function schemaOf({ schema }: CatalogueEntry): JsonSchema {
  const { $schema: _, ...payload } = schema;
  return payload;
}

/** The two messages of an event, by their names in the document. */
const messagesOf = (entry: CatalogueEntry): Readonly<Record<string, JsonSchema>> => {
  const { name, meaning, example } = entry;
  const payload = ref(`components/schemas/${name}`);
  const common = { name, summary: meaning, headers: ref('components/schemas/webhookHeaders') };
  return {
    [name]: {
      ...{ ...common, title: name, contentType: 'application/json', payload },
      examples: [{ name, payload: example }],
    },
    [cloudNameOf(entry)]: {
      ...{ ...common, title: `${name} as a CloudEvent`, contentType: 'application/cloudevents+json' },
      payload: cloudEventSchema(name, payload),
      examples: [{ name, payload: cloudExampleOf(entry) }],
    },
  };
};

const cloudNameOf = ({ name }: CatalogueEntry): string => `cloud-event.${name}`;

function cloudExampleOf({ example: { sequence, ...envelope } }: CatalogueEntry): unknown {
  const event = { payload: JSON.stringify(envelope), sequence: BigInt(sequence as number) };
  return JSON.parse(cloudEvent(event));
}

/** Returns the messages of a channel by the names of their events. */
const channelMessages = (
  entries: readonly CatalogueEntry[],
  nameOf: (entry: CatalogueEntry) => string,
): JsonSchema =>
  Object.fromEntries(entries.map((entry) => [entry.name, ref(`components/messages/${nameOf(entry)}`)]));

/**
 * Returns the AsyncAPI 3 document of all events. An endpoint of the merchant receives them as webhooks, in one of two formats. A
 * websocket streams the texts of the first format by the subscription `events`.
 *
 * - `url`: the address of the service.
 */
export function asyncApiDocument(url: URL): JsonSchema {
  const entries = eventCatalogue();
  const messages = channelMessages(entries, ({ name }) => name);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Events of Paygraph',
      version: String(PAYLOAD_VERSION),
      description: 'Every change of a merchant account, as a signed webhook and as a live event.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      paygraph: {
        ...{ host: url.host, protocol: url.protocol === 'https:' ? 'wss' : 'ws' },
        description: 'Live events by GraphQL.',
      },
    },
    channels: {
      webhooks: {
        ...{ address: null, title: 'Webhooks', messages },
        description: 'The address of a webhook endpoint with the format `PAYGRAPH`.',
      },
      cloudEvents: {
        ...{ address: null, title: 'Webhooks as CloudEvents' },
        description: 'The address of a webhook endpoint with the format `CLOUD_EVENTS`.',
        messages: channelMessages(entries, cloudNameOf),
      },
      liveEvents: {
        ...{ address: '/graphql', title: 'Live events', messages },
        description: 'The subscription `events` answers each text in its field `payload`.',
        servers: [ref('servers/paygraph')],
      },
    },
    operations: OPERATIONS,
    components: {
      messages: Object.assign({}, ...entries.map(messagesOf)) as JsonSchema,
      schemas: {
        webhookHeaders: HEADERS,
        ...Object.fromEntries(entries.map((entry) => [entry.name, schemaOf(entry)])),
      },
    },
  };
}

/** A request to an endpoint. */
const DELIVERY = {
  action: 'send',
  summary: 'Posts each event until the endpoint answers 2xx, for up to seven days.',
  bindings: { http: { method: 'POST' } },
};

const OPERATIONS: JsonSchema = {
  deliver: { ...DELIVERY, channel: ref('channels/webhooks') },
  deliverCloudEvents: { ...DELIVERY, channel: ref('channels/cloudEvents') },
  stream: {
    action: 'send',
    summary: 'Streams each event in the order of the feed, from a cursor or from now.',
    channel: ref('channels/liveEvents'),
  },
};
