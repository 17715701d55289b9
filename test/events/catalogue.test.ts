import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import Ajv from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { eventCatalogue, EVENT_NAMES } from '../../src/modules/event-log/index.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { payloadFaults } from './payload-faults.ts';

type Message = { readonly payload: object; readonly examples: readonly { readonly payload: unknown }[] };
type Channel = { readonly messages: Readonly<Record<string, { readonly $ref: string }>> };
type AsyncApi = {
  readonly servers: { readonly paygraph: { readonly host: string } };
  readonly channels: Readonly<Record<string, Channel>>;
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function read<Document>(path: string): Promise<Document> {
  const response = await fetch(`${server.url}${path}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return (await response.json()) as Document;
}

describe('the catalogue of events', () => {
  it('has every event with its meaning, its schema and an example', async () => {
    const { version, events } = await read<{ version: number; events: readonly { name: string }[] }>(
      '/events/catalogue.json',
    );

    expect(version).toBe(1);
    expect(events.map(({ name }) => name)).toEqual([...EVENT_NAMES]);
    expect(events).toEqual(eventCatalogue());
  });

  it('has an example of each event that fits its schema, without an unlisted field', () => {
    const faults = eventCatalogue().flatMap(({ example }) => payloadFaults(JSON.stringify(example)));

    expect(faults).toEqual([]);
  });

  it('has no two events with the same example', () => {
    const examples = eventCatalogue().map(({ example: { name, ...rest } }) => JSON.stringify([name, rest]));

    expect(new Set(examples).size).toBe(EVENT_NAMES.length);
  });

  it('needs no token, and shows nothing of a merchant', async () => {
    const response = await fetch(`${server.url}/events/catalogue.json`, {
      headers: { authorization: 'Bearer x' },
    });

    expect(response.status).toBe(200);
  });
});

describe('the AsyncAPI document', () => {
  it('is valid by the schema of AsyncAPI 3', async () => {
    const document = await read<AsyncApi>('/asyncapi.json');
    const path = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json');
    const ajv = new Ajv.default({ strict: false, allErrors: true, logger: false });
    addFormats.default(ajv);
    const isValid = ajv.compile(JSON.parse(await readFile(path, 'utf8')) as object);

    isValid(document);
    expect(isValid.errors ?? []).toEqual([]);
    expect(isValid({ ...document, channels: { webhooks: { address: 7 } } })).toBe(false);
  });

  it('has a message for every event in each channel, with the example of the catalogue', async () => {
    const { channels, components } = await read<AsyncApi>('/asyncapi.json');

    const examples = eventCatalogue().map(({ example }) => example);
    const examplesOf = (channel: string): readonly unknown[] =>
      Object.values(channels[channel]?.messages ?? {}).map(
        ({ $ref }) => components.messages[$ref.replace('#/components/messages/', '')]?.examples[0]?.payload,
      );
    expect(Object.keys(channels)).toEqual(['webhooks', 'cloudEvents', 'liveEvents']);
    for (const { messages } of Object.values(channels))
      expect(Object.keys(messages)).toEqual([...EVENT_NAMES]);
    expect(examplesOf('webhooks')).toEqual(examples);
    expect(examplesOf('liveEvents')).toEqual(examples);
    expect(examplesOf('cloudEvents')).toEqual(
      examples.map((data) => expect.objectContaining({ specversion: '1.0', type: data['name'], data })),
    );
  });

  it('has examples that fit the schemas of their messages', async () => {
    const { components } = await read<AsyncApi>('/asyncapi.json');
    const ajv = new Ajv2020({ strict: false, code: { optimize: false } }).addSchema(
      { components },
      'document',
    );
    addFormats.default(ajv);
    const misfits = Object.entries(components.messages).filter(([name, { examples }]) => {
      const fits = ajv.compile({ $ref: `document#/components/messages/${name}/payload` });
      return !examples.every(({ payload }) => fits(payload)) || fits({ specversion: '1.0' });
    });

    expect(Object.keys(components.messages)).toHaveLength(2 * EVENT_NAMES.length);
    expect(misfits).toEqual([]);
  });

  it('has the CloudEvent that the guide shows', async () => {
    const { components } = await read<AsyncApi>('/asyncapi.json');
    const guide = await readFile('src/docs/guides/webhooks.md', 'utf8');
    const [, shown = ''] = /^```json\n(.*?)^```/ms.exec(guide) ?? [];

    const { data, ...attributes } = JSON.parse(shown) as { readonly data: object };
    const [example] = components.messages['cloud-event.transaction.captured']?.examples ?? [];
    expect(example?.payload).toMatchObject(attributes);
    expect(example?.payload).toMatchObject({ data });
  });

  it('names the address of the service', async () => {
    const { servers } = await read<AsyncApi>('/asyncapi.json');

    expect(servers.paygraph.host).toBe(new URL(server.app.publicUrl).host);
  });
});
