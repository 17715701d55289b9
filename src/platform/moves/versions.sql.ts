import type pg from 'pg';
import type { Header } from './file.ts';

const SCHEMA = `SELECT md5(string_agg(migration_name, ' ' ORDER BY migration_name)) AS digest, max(migration_name) AS last
  FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/** Returns the version of the schema: the applied migrations. */
export async function readSchema(client: pg.Client): Promise<Header['schema']> {
  const { rows } = await client.query<Header['schema']>(SCHEMA);
  return rows[0] ?? { digest: '', last: '' };
}
