import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCompared } from '../../src/modules/transactions/restored/progress.sql.ts';
import {
  changedPayments,
  nextPayments,
  paymentsToProve,
} from '../../src/modules/transactions/sweep/store/sweeps.sql.ts';
import { unansweredPayments } from '../../src/modules/transactions/sweep/store/unanswered.sql.ts';
import { openDb, type Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { createUnusedDatabase, query, type TestDatabase } from '../support/database.ts';
import { nodesOf } from '../support/plan.ts';
import { ACCOUNTS, makeTransactions, serviceId } from './many-rows.ts';

// The reads of the comparison take the payments from a function of the database. Postgres must take the function's body into
// each statement. Otherwise each round would read every payment of the payment service.

const NOW = new Date('2026-05-01T12:00:00.000Z');
const SWEEP = { merchantAccountId: ACCOUNTS[0], paymentServiceId: serviceId(1), places: [], proof: null };
const PLACE = { at: NOW.toISOString(), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

let database: TestDatabase;
let db: Db;
const statements = new Map<string | null, Statement>();

beforeAll(async () => {
  // A database that another test has used has larger tables, and so other plans.
  database = await createUnusedDatabase();
  await makeTransactions(database.url, 5_000);
  db = openDb({ url: database.url, connectionMax: 1, applicationName: 'plans' });
  const recording: Db = {
    ...db,
    query: (statement) => {
      statements.set(statement.name, statement);
      return db.query(statement);
    },
  };
  const bounds = { since: NOW, until: NOW, limit: 5 };
  await nextPayments(recording, SWEEP, PLACE, bounds);
  await paymentsToProve(recording, SWEEP, PLACE, bounds);
  await changedPayments(recording, SWEEP, PLACE, bounds);
  await unansweredPayments(recording, SWEEP, { now: NOW, limit: 5 });
  await readCompared(recording, { restoredTo: NOW, paymentsSince: NOW, startedAt: NOW });
}, 60_000);
afterAll(async () => {
  await db.close();
  await database.drop();
});

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
};

/** Returns the nodes of the plan that serves every value. */
async function planOf(name: string): Promise<readonly Node[]> {
  const statement = statements.get(name);
  if (!statement) throw new Error(`${name} was not sent`);
  const [row] = await query<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
    database.url,
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement.text}`,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error(`${name} has no plan`);
  return nodesOf(plan);
}

const BY_CREATION = 'transaction_payment_service_idx';

describe('a read of the comparison', () => {
  it.each([
    ['next_payments_of_sweep', BY_CREATION, 'created_at'],
    ['next_payments_of_proof', BY_CREATION, 'created_at'],
    ['next_payments_changed', 'transaction_updated_idx', 'updated_at'],
  ])('%s walks along an index from its place', async (name, index, column) => {
    const nodes = await planOf(name);

    const walks = nodes.filter((node) => node['Relation Name'] === 'transaction');
    expect(walks).toEqual([
      expect.objectContaining({
        'Node Type': 'Index Scan',
        'Index Name': index,
        'Index Cond': expect.stringContaining(`ROW(${column}, id)`),
      }),
    ]);
    const sorted = nodes.filter((node) => node['Node Type'] === 'Sort').flatMap((sort) => nodesOf(sort));
    expect(sorted.map((node) => node['Relation Name'])).not.toContain('transaction');
  });

  it.each(['next_payments_unanswered', 'count_payments_to_prove'])(
    '%s looks each payment without an answer up by its id',
    async (name) => {
      const looks = (await planOf(name)).filter((node) => node['Index Name'] === 'transaction_pkey');

      expect(looks.length).toBeGreaterThan(0);
      for (const look of looks) expect(look['Index Cond']).toMatch(/\(id = u(_1)?\.transaction_id\)/);
    },
  );

  it('counts what is left by an index', async () => {
    const nodes = await planOf('count_payments_to_prove');

    const looks = nodes.filter((node) => node['Index Name'] === BY_CREATION);
    expect(looks.map((node) => node['Index Cond'])).toEqual([
      expect.stringContaining('ROW(created_at, id)'),
      expect.stringContaining('created_at >='),
    ]);
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Function Scan');
  });
});
