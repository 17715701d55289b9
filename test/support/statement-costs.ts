import pg from 'pg';
import type { Db } from '../../src/platform/database/db.ts';
import { PLANS_OF_READS, toOptions } from '../../src/platform/postgres/connection-settings.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { nodesOf } from './plan.ts';

/** A node of an executed plan from `EXPLAIN (FORMAT JSON)`. */
type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
};

/** The cost of a statement: the scanned rows of tables and indexes, and their pages. */
export type Cost = { readonly rows: number; readonly buffers: number; readonly scans: string };

/** Opens a connection that plans its statements as the connections for reads do. */
export async function connectForCosts(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: toOptions(PLANS_OF_READS) });
  await client.connect();
  return client;
}

/** Runs a read on a connection of `connectForCosts`, and answers the cost of each of its statements. */
export async function costsOf(
  client: pg.Client,
  read: (db: Db) => Promise<unknown>,
): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  const query = async <Row>(statement: Statement): Promise<readonly Row[]> => {
    costs.push(await explain(client, statement));
    const { text, values } = statement;
    const { rows } = await client.query({ text, values: [...values], rowMode: 'array' });
    return rows as unknown as readonly Row[];
  };
  await read({ query } as Db);
  return costs;
}

async function explain(client: pg.Client, { text, values }: Statement): Promise<Cost> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [...values],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('No plan');
  const nodes = nodesOf(plan);
  const looked = (node: Node): number =>
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
  return {
    rows: scans.map(looked).reduce((total, each) => total + each, 0),
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    scans: scans
      .map((node) => [node['Node Type'], node['Index Name']].filter(Boolean).join(' on '))
      .join(', '),
  };
}
