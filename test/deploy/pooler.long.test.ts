import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openHarness, openPooled, REST_LIMIT_MS } from '../journeys/kill-rounds.ts';
import { paygraph } from '../support/command.ts';
import { query } from '../support/database.ts';
import { startPooler, type PoolerOptions } from '../support/pooler.ts';
import { startPostgres, type OwnPostgres } from '../support/postgres.ts';
import { findPgBouncer } from './pgbouncer.ts';
import { describeUnless } from './tools.ts';

// Paygraph behind a real PgBouncer in transaction mode. The test fetches PgBouncer 1.24 from Debian.

const found = await findPgBouncer();
const root = 'root' in found ? found.root : '';

let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres.close(), 30_000);

/** Runs a command behind a pooler. */
async function ended(command: readonly string[], options: Partial<PoolerOptions> = {}) {
  const server = postgres.url('postgres');
  const pooler = await startPooler({ root, server, readTimeoutMs: 5_000, ...options });
  try {
    const settings = {
      ...pooler.settings('postgres'),
      PORT: '0',
      PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    return await paygraph(command, settings).ended;
  } finally {
    await pooler.close();
  }
}

describeUnless('missing' in found ? found.missing : null, 'behind PgBouncer', () => {
  it('a start without the settings of roles is refused with the statements that set them', async () => {
    const { code, stderr } = await ended(['start'], { withRoles: false });

    expect(code).toBe(1);
    const statements = stderr.match(/^ {2}ALTER ROLE .*;$/gm) ?? [];
    expect(statements).toHaveLength(8);
    for (const statement of statements) await query(postgres.url('postgres'), statement);
    const { stdout } = await ended(['doctor'], { withRoles: false });
    expect(stdout).toContain('The connections through the pooler have their settings.');
  }, 60_000);

  it('a start is refused when the pooler carries no named statements', async () => {
    const { code, stderr } = await ended(['start'], { namedStatements: 0 });

    expect(code).toBe(1);
    expect(stderr).toContain('set its max_prepared_statements to 500');
  }, 60_000);

  it('migrations end, although an earlier one used the same pooler', async () => {
    const ends = [await ended(['migrate']), await ended(['migrate'])];

    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  }, 60_000);

  it('no payment is lost, doubled or misreported when a server is killed and Postgres is stopped at once', async () => {
    const harness = await openHarness('keys', () => openPooled(root));
    try {
      const { answered, broken, restMs, violations } = await harness.round(['kill', 'stop_postgres']);

      expect(violations).toEqual([]);
      expect(restMs).toBeLessThan(REST_LIMIT_MS);
      expect(answered).toBeGreaterThan(20);
      expect(broken).toBeGreaterThan(0);
    } finally {
      await harness.close();
    }
  }, 120_000);
});
