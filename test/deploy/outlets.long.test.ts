import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { startEvents, type EventsHarness } from '../events/harness.ts';
import type { Running } from '../support/command.ts';
import { startKafkaMock, type KafkaMock } from './kafka-mock.ts';
import { startNats, type NatsServer } from './nats-server.ts';
import { ROUND, runStorm } from './outlet-storm.ts';
import { KCAT, NATS, withTools } from './tools.ts';

const ROUNDS = 1;

let harness: EventsHarness;
let folder: string;
let nats: NatsServer | undefined;
let kafka: KafkaMock | undefined;
const started: Running[] = [];
const tools = withTools(NATS, KCAT);

beforeAll(async () => {
  harness = await startEvents();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-outlets-'));
});
afterAll(async () => {
  await Promise.all(started.map((each) => each.end('SIGKILL')));
  await Promise.all([nats?.close(), kafka?.close(), rm(folder, { recursive: true })]);
  await harness.stop();
});

/** An event as a consumer sees it. */
type Seen = {
  readonly account: string;
  readonly sequence: number;
  readonly id: string;
  readonly body: string;
};

type Message = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

const seenOf = ({ body, headers }: Message): Seen => {
  const { merchant_account_id } = JSON.parse(body) as { readonly merchant_account_id: string };
  return {
    account: merchant_account_id,
    sequence: Number(headers['paygraph-sequence']),
    id: headers['paygraph-event-id'] ?? '',
    body,
  };
};

/** Lists what each account's feed has. */
async function feeds(viewers: readonly Viewer[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = viewers.map(async (viewer) => {
    const events = await harness.feed(viewer);
    return [viewer.merchantAccountId, events.map(({ payload }) => payload)] as const;
  });
  return new Map(await Promise.all(read));
}

const bodiesOf = (seen: readonly Seen[], account: string): readonly string[] =>
  seen.filter((one) => one.account === account).map(({ body }) => body);

/** Removes the events that came before. Each sequence must come with one id. */
function firstOnly(seen: readonly Seen[]): readonly Seen[] {
  const ids = new Map<string, string>();
  return seen.filter(({ account, sequence, id }) => {
    const place = `${account} ${sequence}`;
    const known = ids.get(place);
    if (known !== undefined && known !== id) throw new Error(`${place} has the events ${known} and ${id}`);
    ids.set(place, id);
    return known === undefined;
  });
}

describe('outlets', () => {
  // A mock of Kafka: it shows the protocol, the order and repetition. It keeps nothing when it dies, so it is only frozen.
  tools(
    `lose nothing and keep the order of each account while brokers and processes die ${ROUNDS * ROUND} times`,
    async () => {
      const [server, mock] = await Promise.all([startNats(), startKafkaMock('paygraph.events')]);
      [nats, kafka] = [server, mock];
      await server.createStream({ name: 'paygraph', subjects: ['paygraph.>'] });
      const viewers = await Promise.all(Array.from({ length: 6 }, () => harness.viewer()));
      await runStorm({
        harness,
        nats: server,
        kafka: mock,
        accounts: viewers,
        rounds: ROUNDS,
        folder,
        started,
      });

      const written = await feeds(viewers);
      const atNats = (await server.read('paygraph')).map(seenOf);
      const atKafka = (await mock.read('paygraph.events')).map(seenOf);
      for (const [account, bodies] of written) {
        expect(bodies.length).toBeGreaterThan(50);
        expect(bodiesOf(atNats, account)).toEqual(bodies);
        expect(bodiesOf(firstOnly(atKafka), account)).toEqual(bodies);
      }
    },
    300_000,
  );
});
