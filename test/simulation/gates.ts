import type pg from 'pg';
import { v7 } from 'uuid';
import type { App } from '../../src/app.ts';
import { createAccessTokenStore } from '../../src/connectors/calls/access-token-store.ts';
import { createWebhookMaterial } from '../../src/connectors/reading/webhook-material.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { systemIds, type Ids } from '../../src/platform/ids.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Operation } from '../../src/modules/transactions/index.ts';
import { isInjected } from './director.ts';
import { BEGIN_MS, simulatedConnectors } from './harness.ts';
import { realConnectors } from './real/connectors.ts';
import type { Provider } from './provider.ts';
import { unspoiltName } from './spoil.ts';
import { currentTask, pass, type Commit, type OpenTransaction, type Stage } from './stage.ts';

/** The history that a lane is playing. */
export type Scene = { readonly stage: Stage; readonly provider: Provider };

/**
 * Wraps the environment of a process. Each use of the database, the network and time is a point that waits for a
 * turn.
 */
export function createGates(raw: Db, process: number, scene: () => Scene): Partial<App> & { clock: Clock } {
  const clock: Clock = {
    now: () => new Date(BEGIN_MS + scene().stage.now + (scene().stage.skewsMs[process] ?? 0)),
    sleep: (ms) => {
      const { stage } = scene();
      if (!currentTask()) stage.now += ms;
      // A busy machine wakes sleepers late.
      return pass('sleep', async () => undefined, { delayMs: ms * stage.random.pick(OVERSLEEPS) });
    },
  };
  const http: App['http'] = {
    send: (request) => scene().provider.send(request),
    refuseUrl: () => null,
    close: () => undefined,
  };
  return {
    ...gateMemory({ http, clock, process, scene }),
    db: gateDb(raw, scene),
    clock,
    ids: gateIds(clock, scene),
    log: gateLog(scene),
    http,
    connectors: [...simulatedConnectors, ...realConnectors],
  };
}

type Remembering = Pick<App, 'http' | 'clock'> & { readonly process: number; readonly scene: () => Scene };

/**
 * A process begins each history with an empty memory. Its death empties the memory again. Tasks that load the same thing wait
 * for each other at points.
 */
function gateMemory({
  http,
  clock,
  process,
  scene,
}: Remembering): Pick<App, 'accessTokens' | 'webhookMaterial'> {
  const createMemory = () => ({
    accessTokens: createAccessTokenStore(clock),
    webhookMaterial: createWebhookMaterial(http, clock),
    loading: new Set<string>(),
  });
  let of: { readonly stage: Stage; readonly deaths: number } | null = null;
  let memory = createMemory();
  const present = (): ReturnType<typeof createMemory> => {
    const { stage } = scene();
    const deaths = stage.deaths[process] ?? 0;
    if (of?.stage !== stage || of.deaths !== deaths) memory = createMemory();
    of = { stage, deaths };
    return memory;
  };
  const alone = async <Value>(name: string, load: () => Promise<Value>): Promise<Value> => {
    const { loading } = present();
    if (!currentTask()) return load();
    while (loading.has(name)) await pass('memory.waiting', async () => undefined, { delayMs: RETRY_MS });
    loading.add(name);
    return load().finally(() => loading.delete(name));
  };
  return {
    accessTokens: {
      of: (id, credentials) => {
        const tokens = present().accessTokens.of(id, credentials);
        return { ...tokens, get: (load) => alone(`token ${id}`, () => tokens.get(load)) };
      },
    },
    webhookMaterial: {
      of: (id, ...asked) => alone(`material ${id}`, () => present().webhookMaterial.of(id, ...asked)),
    },
  };
}

const RETRY_MS = 5_000;

const OVERSLEEPS = [1, 10, 45];

const WRITES = /\b(INSERT|UPDATE|DELETE)\b/;

function gateDb(raw: Db, scene: () => Scene): Db {
  return {
    waitedMs: (owner) => raw.waitedMs(owner),
    waits: () => raw.waits(),
    connections: () => raw.connections(),
    prisma: gatePrisma(raw.prisma, scene),
    query: async <Row>(statement: Statement) => {
      const point = unspoiltName(statement.name);
      const task = currentTask();
      const rows = await pass(point, async () => inOrder(await raw.query<Row>(statement), point), {
        commits: true,
        overlap: { db: raw, statement, writes: WRITES.test(statement.text) },
        onDone: (done) => task && noteCommits(scene().stage, { point, task: task.name, statement }, done),
      });
      return rows;
    },
    // A whole transaction is one turn.
    transaction: (run) => {
      const task = currentTask();
      return pass('transaction', () => raw.transaction(run), {
        commits: true,
        onDone: (done) => task && noteSettled(scene().stage, task.name, done),
      });
    },
    connect: () => connect(raw, scene()),
    close: () => raw.close(),
  };
}

/** Runs each call of Prisma in a turn of its own. */
function gatePrisma(prisma: Db['prisma'], scene: () => Scene): Db['prisma'] {
  const gated = <Target extends object>(
    target: Target,
    of: (name: string, value: unknown) => unknown,
  ): Target =>
    new Proxy(target, {
      get: (given, name) => {
        const value: unknown = Reflect.get(given, name);
        return typeof name === 'string' ? of(name, value) : value;
      },
    });
  const gateModel = (model: string, value: object): object =>
    gated(value, (name, method) => {
      if (typeof method !== 'function' || !/^(find|create|update|delete)/.test(name)) return method;
      const point = `${model}.${name}`;
      return (given: unknown) => {
        const task = currentTask();
        return pass(point, async () => (await method.call(value, given)) as unknown, {
          ...(!name.startsWith('find') && { commits: true }),
          onDone: (done) => task && noteChecked(scene().stage, { point, task: task.name, given }, done),
        });
      };
    });
  return gated(prisma, (name, value) =>
    typeof value === 'object' && value !== null && /^[a-z]/.test(name) ? gateModel(name, value) : value,
  );
}

type OperationRow = {
  readonly operation: {
    readonly id: string;
    readonly transaction_id: string;
    readonly redemption_id: string | null;
  };
  readonly transaction?: { readonly fraud_review: string | null; readonly open_disputes: number };
};

const isOperationRow = (row: unknown): row is OperationRow =>
  typeof row === 'object' && row !== null && 'operation' in row && row.operation !== null;

/** Sorts claimed operations and notices, because their order depends on the plan of the statement. */
function inOrder<Row>(rows: readonly Row[], point: string): readonly Row[] {
  const isTaken = point === 'claim_inbound_reviews' || point === 'claim_inbound_webhooks';
  const idOf = (row: Row): string => (isOperationRow(row) ? row.operation.id : (row as { id: string }).id);
  return rows.length < 2 || !(isTaken || isOperationRow(rows[0]))
    ? rows
    : rows.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

type Done = { readonly point: string; readonly task: string; readonly statement: Statement };

/** Records the written decision of an anti-fraud check. */
function noteChecked(
  stage: Stage,
  { point, task, given }: { readonly point: string; readonly task: string; readonly given: unknown },
  done: unknown,
): void {
  if (point !== 'antiFraudCheck.updateMany' || (done as { count: number }).count === 0) return;
  const { where, data } = given as {
    readonly where: { readonly transactionId: string };
    readonly data: { readonly decision: string };
  };
  const { transactionId } = where;
  stage.commits.push({ statement: `judged_${data.decision}`, task, operationId: '', transactionId });
}

function noteCommits(stage: Stage, { point, task, statement }: Done, rows: unknown): void {
  if (!Array.isArray(rows)) return;
  for (const row of rows as unknown[]) {
    const about = point === 'approval_decide' ? wordOf(statement, row) : changeOf(point, row);
    if (about) stage.commits.push({ task, ...about });
    if (about && isRefundInDispute(point, row))
      stage.commits.push({ task, ...about, statement: 'refund_in_dispute' });
  }
}

/** Tells whether a claim refunds the payment method although a dispute of the payment holds refunds. */
const isRefundInDispute = (point: string, row: unknown): boolean =>
  /^claim_refunds?$/.test(point) &&
  isOperationRow(row) &&
  row.operation.redemption_id === null &&
  (row.transaction?.open_disputes ?? 0) > 0;

function changeOf(point: string, row: unknown): Omit<Commit, 'task'> | null {
  if (!/^(book|claim|settle|accept|reroute|conclude|reverse|expire)_|^write_screening$/.test(point))
    return null;
  if (isOperationRow(row)) {
    const { id: operationId, transaction_id: transactionId } = row.operation;
    const statement = point === 'claim_review' ? `review_${row.transaction?.fraud_review ?? ''}` : point;
    const written = point.startsWith('settle_') ? { written: row } : {};
    return { statement, operationId, transactionId, ...written };
  }
  // Null for an ended challenge, or for a payment that ended before its check.
  const { transaction } = row as { readonly transaction?: { readonly id: string } };
  return transaction ? { statement: point, operationId: '', transactionId: transaction.id } : null;
}

/** Returns the buyer's decision if the decision counts. */
function wordOf({ values }: Statement, row: unknown): Omit<Commit, 'task'> {
  const { operation_id: operationId } = row as { readonly operation_id: string };
  const reported = values.includes('approved') ? 'approved' : 'refused';
  return { statement: `buyer_${reported}`, operationId, transactionId: '' };
}

/**
 * Records the settled or accepted operations of a transaction: under the lock, or with the balance of a gift card.
 */
function noteSettled(stage: Stage, task: string, done: unknown): void {
  if (!isOperationRow(done)) return;
  const { operation, changed, kind: kindOfResult } = done as unknown as Settled;
  if (!changed) return;
  const { id, kind, status, transactionId, origin, reversedAmount } = operation;
  if (origin === 'provider' && reversedAmount === 0) {
    const statement = `book_${kind}_elsewhere`;
    stage.commits.push({ statement, task, operationId: id, transactionId });
    return;
  }
  if (kindOfResult === 'decided') {
    const isReversal = kind !== 'authorize' || operation.reversedAmount > 0;
    const taken = isReversal ? 'reverse_operation' : 'expire_authorization';
    stage.commits.push({ statement: taken, task, operationId: id, transactionId });
    return;
  }
  const statement = status === 'pending' ? `accept_${kind}` : `settle_${kind}_${status}`;
  stage.commits.push({ statement, task, operationId: id, transactionId });
}

/** `decided`: a success was taken back. */
type Settled = { readonly operation: Operation; readonly changed: boolean; readonly kind?: 'decided' };

/** Opens a connection whose statements are turns. Its transaction is rolled back when its process dies. */
async function connect(raw: Db, { stage }: Scene): Promise<pg.PoolClient> {
  const task = currentTask();
  const client = await raw.connect();
  if (!task) return client;
  let committed = false;
  let released = false;
  const rollBack = async (): Promise<void> => {
    if (released) return;
    released = true;
    task.open.delete(open);
    if (committed) return client.release();
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
  };
  const open: OpenTransaction = { rollBack };
  task.open.add(open);
  const query = async (given: string | { readonly name: string }): Promise<unknown> => {
    const name = typeof given === 'string' ? given : unspoiltName(given.name);
    const commits = given === 'COMMIT';
    const run = async (): Promise<unknown> => {
      const answer: unknown = await client.query(untimed(given) as string);
      committed = commits;
      return answer;
    };
    return await pass(name.split(';')[0] ?? '', run, { commits });
  };
  const release = (): void => void stage.cleanups.push(rollBack());
  // The relay uses only these two members.
  return { query, release } as unknown as pg.PoolClient;
}

/** Removes the time-outs of the real clock. Time is simulated, and a slow machine must not change a history. */
const untimed = <Given>(given: Given): Given | string =>
  typeof given === 'string' ? given.replace(/(_timeout = )\d+/, '$10') : given;

/**
 * Creates ids from the seed. The randomness of ciphertexts decides nothing, so the system's randomness is good
 * enough.
 */
const gateIds = (clock: Pick<Clock, 'now'>, scene: () => Scene): Ids => ({
  uuid: () => {
    const { stage } = scene();
    // Ids of one millisecond are in order, like those of the library.
    const msecs = clock.now().getTime();
    const id = v7({ random: stage.random.bytes(16), msecs, seq: stage.uuids.length });
    stage.uuids.push(id);
    return id;
  },
  random: (bytes) => systemIds.random(bytes),
});

/** Collects logged errors, which would otherwise go unseen. */
function gateLog(scene: () => Scene): Log {
  const note = (fields: unknown): void => {
    if (typeof fields !== 'object' || fields === null || !('err' in fields)) return;
    if (!isInjected(fields.err)) scene().stage.surprises.push(`logged: ${String(fields.err)}`);
  };
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: note, child: () => log };
  return log as Log;
}
