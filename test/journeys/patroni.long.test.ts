import { randomBytes, randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeUnless, ETCD, PATRONI, reasonWithout } from '../deploy/tools.ts';
import { query } from '../support/database.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { judge, waitForRest } from '../support/judge.ts';
import { findPrograms, startPatroniPair, type Loss, type PatroniPair } from '../support/patroni.ts';
import { authorization, createService } from '../support/payments.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { describeFailovers, medianOf, type Failover } from './failover-times.ts';
import { followFeed, type Follower } from './follow-feed.ts';
import { DEADLINE_MS, REST_LIMIT_MS } from './kill-rounds.ts';
import { replayAll, startStorm, type Send, type Storm } from './storm.ts';

// Patroni promotes the synchronous standby when the primary is lost. Clients pay meanwhile, and a consumer follows the events.

// oxlint-disable-next-line no-restricted-properties -- the number of failovers in a longer run
const { PAYGRAPH_TEST_FAILOVERS = '6' } = process.env;
const FAILOVERS = Number(PAYGRAPH_TEST_FAILOVERS);

/** The longest time of one failover, with the return of the lost node. Twenty seconds of it are the life of the lock. */
const FAILOVER_MAX_MS = 60_000;

/** The longest time of the payments and checks after the last failover. */
const REST_MAX_MS = 120_000;

const FREEZES = 1;

const CLIENTS = 12;
const PER_SECOND = 50;

/** The limit for half of the failovers, from the promotion until the first payment. */
const MEDIAN_LIMIT_MS = 5_000;

const programs = findPrograms() ?? '';
const reason =
  reasonWithout([PATRONI, ETCD]) ?? (programs === '' ? 'this machine has no Postgres of Debian' : null);

/** Authorises and captures. */
async function pay(send: Send, paymentServiceId: string): Promise<void> {
  const amount = randomInt(1_000, 10_000);
  const { transaction } = await send(authorization(amount, paymentServiceId));
  await send({ verb: 'capture', variables: { id: transaction?.id, input: { amount } } });
}

describeUnless(reason, 'a primary under Patroni', () => {
  let cluster: PatroniPair;
  let provider: FakeProvider;
  let server: ServerProcess;
  beforeAll(async () => {
    provider = await startFakeProvider({ delayMs: () => randomInt(40) });
    cluster = await startPatroniPair(programs);
    server = await startProcess({
      DATABASE_URL: cluster.url,
      PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
      PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS),
    });
  }, 90_000);
  afterAll(async () => {
    await (server as ServerProcess | undefined)?.stop();
    await Promise.all([(cluster as PatroniPair | undefined)?.close(), provider.close()]);
  }, 30_000);

  /** Loses the primary and gets it back as the standby. Measures until Paygraph works again. */
  async function failOver(loss: Loss, storm: Storm, feed: Follower): Promise<Failover> {
    const before = performance.now();
    await until(() => storm.workedSince(before) > PER_SECOND && storm.underWay(server) > 1, 'payments');
    const lostAt = performance.now();
    await cluster.losePrimary(loss);
    await cluster.promotion();
    const promotedAt = performance.now();
    const timeTo = async (what: string, happened: () => boolean | Promise<boolean>): Promise<number> => {
      await until(happened, what);
      return performance.now() - promotedAt;
    };
    const [paymentMs, rateMs, eventMs, listenerMs] = await Promise.all([
      timeTo('a payment', () => storm.workedSince(promotedAt) > 0),
      timeTo('many payments', () => storm.workedSince(promotedAt) >= PER_SECOND),
      timeTo('an event', () => (feed.seen.at(-1)?.atMs ?? 0) > promotedAt),
      timeTo('the listener', isListening),
    ]);
    await cluster.rejoin();
    return { promotionMs: promotedAt - lostAt, paymentMs, rateMs, eventMs, listenerMs };
  }

  async function isListening(): Promise<boolean> {
    const connections = await query(
      cluster.primaryUrl(),
      "SELECT FROM pg_stat_activity WHERE application_name = 'paygraph listen'",
    );
    return connections.length > 0;
  }

  it(
    `is killed ${FAILOVERS} times under load, and no payment is lost, doubled or misreported`,
    () => expectNoLoss('killed', FAILOVERS),
    FAILOVERS * FAILOVER_MAX_MS + REST_MAX_MS,
  );

  it(
    'falls silent under load, and no payment is lost, doubled or misreported',
    () => expectNoLoss('frozen', FREEZES),
    FREEZES * FAILOVER_MAX_MS + REST_MAX_MS,
  );

  async function expectNoLoss(loss: Loss, times: number): Promise<void> {
    const paymentServiceId = await createService(server, provider.url);
    const feed = followFeed(server);
    await until(async () => feed.seen.length === (await countFeed()), 'the past events');
    const storm = startStorm({
      ...{ servers: () => [server], provider, paymentServiceId, pay },
      ...{ clients: CLIENTS, perSecond: PER_SECOND, faulty: false },
    });

    const failovers: Failover[] = [];
    while (failovers.length < times) failovers.push(await failOver(loss, storm, feed));
    const { answered, unanswered } = await storm.calm();
    await waitForRest(cluster.primaryUrl(), REST_LIMIT_MS);

    const counts = `${answered.length} operations answered, ${storm.broken()} requests broken`;
    process.stdout.write(`\nThe primary was ${loss}:\n${describeFailovers(failovers)}\n${counts}\n`);
    const replays = await replayAll(answered, [server]);
    const violations = await judge(provider, cluster.primaryUrl());
    expect([...unanswered, ...violations, ...replays.differences, ...provider.repeats]).toEqual([]);
    // There was something to lose.
    expect(storm.broken()).toBeGreaterThan(0);
    expect(replays.count).toBeGreaterThan(times * PER_SECOND);
    await expectWholeFeed(feed);
    expect(medianOf(failovers.map(({ paymentMs }) => paymentMs))).toBeLessThan(MEDIAN_LIMIT_MS);
  }

  async function countFeed(): Promise<number> {
    const [row] = await query<{ count: number }>(
      cluster.primaryUrl(),
      'SELECT count(*)::int AS count FROM feed_entry',
    );
    return row?.count ?? 0;
  }

  /** Checks that the consumer got each event of the feed once and in order, on one subscription. */
  async function expectWholeFeed(feed: Follower): Promise<void> {
    const count = await countFeed();
    await until(() => feed.seen.length >= count, 'the events');
    feed.stop();
    expect(feed.seen.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: count }, (_, nth) => nth + 1),
    );
    expect(feed.breaks).toEqual([]);
  }
});
