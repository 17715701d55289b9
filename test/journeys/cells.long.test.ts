import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ask, pay, startConsumer, startLoad, type Consumer, type Load, type Way } from '../cells/shop.ts';
import { describeWith } from '../deploy/tools.ts';
import { paygraph } from '../support/command.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { startNginx, type Nginx } from '../support/nginx.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

/** An installation with its own database. */
type Cell = { readonly database: TestDatabase; readonly server: ServerProcess };

const MOVING = 'moving';
const STAYING = 'staying';
const MASTER_KEY = randomBytes(32).toString('base64');
/** Payments on each side of the move. */
const ENOUGH = 15;

let folder: string;
let receiver: Receiver;
let a: Cell;
let b: Cell;
let nginx: Nginx;
let moving: Load;
let staying: Load;
let consumer: Consumer;

const startCell = async (): Promise<Cell> => {
  const database = await createTestDatabase();
  return {
    database,
    server: await startProcess({ DATABASE_URL: database.url, PAYGRAPH_MASTER_KEY: MASTER_KEY }),
  };
};

/** The part of the page that belongs into nginx's `server`. */
const serverPart = (): string => {
  const page = readFileSync('src/docs/operate/cells.md', 'utf8');
  return /```nginx\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
};

/** Runs a command in a cell. Every command prints JSON. */
async function command(
  { database }: Cell,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<{
  readonly code: number | null;
  readonly stderr: string;
  readonly json: Readonly<Record<string, unknown>>;
}> {
  const own = {
    DATABASE_URL: database.url,
    PAYGRAPH_MASTER_KEY: MASTER_KEY,
    PAYGRAPH_DATA_DIR: folder,
    ...settings,
  };
  const { code, stdout, stderr } = await paygraph([...words, '--json'], own).ended;
  const line = stdout.trim().split('\n').at(-1) ?? '';
  return { code, stderr, json: line === '' ? {} : (JSON.parse(line) as Record<string, unknown>) };
}

/** Runs a step of the move, and returns a text of its result. */
async function step(cell: Cell, field: string, ...words: readonly string[]): Promise<string> {
  const { code, stderr, json } = await command(cell, ['move', ...words]);
  if (code !== 0) throw new Error(`move ${words.join(' ')}: ${stderr}`);
  return String(json[field]);
}

/** Writes the maps of nginx for a directory with the cell of the moving account. */
async function mapsWith(cell: 'a' | 'b'): Promise<string> {
  const directory = {
    cells: {
      a: { publicUrl: 'http://a.test', servers: [new URL(a.server.url).host] },
      b: { publicUrl: 'http://b.test', servers: [new URL(b.server.url).host] },
    },
    default: 'a',
    accounts: { [MOVING]: cell },
  };
  const path = join(folder, 'cells.json');
  await writeFile(path, JSON.stringify(directory));
  return (await paygraph(['cells', path, '--nginx']).ended).stdout;
}

const wayTo = (account: string, url = nginx.url): Way => ({ url, account, token: a.server.token });

/** Creates an account with a payment service and a webhook endpoint in cell a. */
async function createAccount(account: string): Promise<void> {
  await a.server.graphql(
    'mutation ($id: String!) { createMerchantAccount(input: { id: $id, displayName: "Shop" }) { userErrors { message } } }',
    { id: account },
  );
  const way = wayTo(account, a.server.url);
  await ask(
    way,
    `mutation { createPaymentService(input: { paymentServiceDefinitionId: "mock-card", displayName: "Sandbox",
       fields: [{ key: "merchant_id", value: "sandbox" }], acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) {
       userErrors { message } } }`,
  );
  await ask(
    way,
    'mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { userErrors { message } } }',
    { url: `${receiver.url}${account}` },
  );
}

/** Lets cell b verify the tokens of cell a, as an operator does who registers one key in both. */
async function shareKey(): Promise<void> {
  const [key] = await query<{ key: string }>(
    a.database.url,
    'SELECT row_to_json(k)::text AS key FROM api_key_pair k',
  );
  await query(
    b.database.url,
    'INSERT INTO api_key_pair SELECT (json_populate_record(NULL::api_key_pair, $1)).*',
    [key?.key],
  );
}

const numberOf = async ({ database }: Cell, text: string, account = MOVING): Promise<number> =>
  (await query<{ count: number }>(database.url, `SELECT (${text})::int AS count`, [account]))[0]?.count ?? -1;

const PAYMENTS = 'SELECT count(*) FROM transaction WHERE merchant_account_id = $1';
const CAPTURED = `SELECT coalesce(sum(amount), 0) FROM ledger_entry WHERE merchant_account_id = $1 AND kind = 'capture'`;
const HEAD = 'SELECT coalesce(max(sequence), 0) FROM feed_head WHERE merchant_account_id = $1';

describeWith(['nginx'], 'two cells behind one proxy', () => {
  beforeAll(async () => {
    [folder, receiver] = await Promise.all([mkdtemp(join(tmpdir(), 'paygraph-cells-')), startReceiver()]);
    [a, b] = await Promise.all([startCell(), startCell()]);
    await createAccount(MOVING);
    await createAccount(STAYING);
    await shareKey();
    nginx = await startNginx(await mapsWith('a'), serverPart());
  }, 120_000);

  afterAll(async () => {
    await Promise.all([moving.stop(), staying.stop(), consumer.stop()]);
    await nginx.close();
    await Promise.all([a.server.stop(), b.server.stop()]);
    await Promise.all([a.database.drop(), b.database.drop(), receiver.close()]);
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('move an account under load', async () => {
    [moving, staying, consumer] = [
      startLoad(wayTo(MOVING)),
      startLoad(wayTo(STAYING)),
      startConsumer(wayTo(MOVING)),
    ];
    const file = join(folder, 'moving.export');
    await until(
      () => moving.paid.length >= ENOUGH && consumer.seen.length >= ENOUGH,
      'payments before the move',
    );

    await step(a, 'move', '--merchant-account', MOVING, '--export', file, '--to', 'b');
    const killed = await command(b, ['move', '--import', file], {
      PAYGRAPH_FAILPOINTS: 'move.importing.feed_entry=kill',
    });
    expect({ code: killed.code, rows: await numberOf(b, PAYMENTS) }).toEqual({ code: null, rows: 0 });
    const receipt = await step(b, 'receipt', '--import', file);
    expect(await step(b, 'receipt', '--import', file)).toBe(receipt);
    const key = await step(a, 'key', '--merchant-account', MOVING, '--leave', receipt);
    const confirmation = await step(b, 'confirmation', '--merchant-account', MOVING, '--open', key);

    // The proxy still sends the account to cell a, which names cell b.
    const before = moving.paid.length;
    await until(() => moving.paid.length >= before + ENOUGH, 'payments by way of the former cell');
    await nginx.reload(await mapsWith('b'));
    await step(a, 'removed', '--merchant-account', MOVING, '--forget', confirmation);
    const switched = moving.paid.length;
    await until(() => moving.paid.length >= switched + ENOUGH, 'payments after the switch');
    await Promise.all([moving.stop(), staying.stop()]);
  }, 240_000);

  it('lose no payment and make none twice', async () => {
    const { paid } = moving;
    const repeated = await Promise.all(
      paid.map(({ key }) => pay(wayTo(MOVING), key, (reason) => expect(reason).toBe(''))),
    );

    expect(repeated.map((each) => each?.id)).toEqual(paid.map(({ id }) => id));
    expect(repeated.every((each) => each?.replayed)).toBe(true);
    expect(new Set(paid.map(({ id }) => id)).size).toBe(paid.length);
    expect(new Set(paid.map(({ status }) => status))).toEqual(new Set(['CAPTURE_SUCCEEDED']));
    expect([await numberOf(a, PAYMENTS), await numberOf(b, PAYMENTS)]).toEqual([0, paid.length]);
    expect(await numberOf(b, CAPTURED)).toBe(paid.length * 1299);
    // The account had to wait, and nothing else was refused.
    expect(new Set(moving.refused)).toEqual(new Set(['503 ACCOUNT_MOVING']));
  }, 60_000);

  it('show each event to a consumer once and in order', async () => {
    const head = await numberOf(b, HEAD);
    await until(() => (consumer.seen.at(-1)?.sequence ?? 0) >= head, 'the consumer');
    await consumer.stop();

    expect(consumer.seen.map(({ sequence }) => sequence)).toEqual(consumer.seen.map((_, index) => index + 1));
    expect(new Set(consumer.seen.map(({ id }) => id)).size).toBe(consumer.seen.length);
    expect(consumer.seen.filter(({ name }) => name === 'transaction.captured')).toHaveLength(
      moving.paid.length,
    );
    expect(consumer.streams()).toBeGreaterThan(1);
  }, 60_000);

  it('deliver each event as a webhook', async () => {
    const delivered = (): ReadonlySet<unknown> =>
      new Set(
        receiver.received
          .filter(({ path }) => path.endsWith(MOVING))
          .map(({ headers }) => headers['webhook-id']),
      );

    await until(() => consumer.seen.every(({ id }) => delivered().has(id)), 'the webhooks');
    expect(delivered().size).toBe(consumer.seen.length);
  }, 60_000);

  it('keep the chain of the audit log and the sums of the reports', async () => {
    const words = ['--merchant-account', MOVING];

    expect(await command(b, ['audit', '--verify', ...words])).toMatchObject({
      code: 0,
      json: { faults: [] },
    });
    expect(await command(b, ['rebuild-reports', ...words])).toMatchObject({
      code: 0,
      json: { differences: [] },
    });
  }, 60_000);

  it('disturb no account that stays', async () => {
    expect(staying.refused).toEqual([]);
    expect(staying.paid.length).toBeGreaterThan(moving.paid.length);
    expect(await numberOf(a, PAYMENTS, STAYING)).toBe(staying.paid.length);
    expect(await command(a, ['audit', '--verify', '--merchant-account', STAYING])).toMatchObject({ code: 0 });
  }, 60_000);

  it('know where the account is', async () => {
    const { status, body } = await ask(wayTo(MOVING, a.server.url), '{ __typename }');

    expect({ status, code: body.errors?.[0]?.extensions?.code }).toEqual({
      status: 421,
      code: 'ACCOUNT_MOVED',
    });
  });
});
