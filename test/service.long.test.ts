import { describe, expect, it } from '@jest/globals';
import { query } from './support/database.ts';
import { readiness, useServices } from './support/services.ts';

const { database, start } = useServices();

describe('/ready', () => {
  it('is 503 while the database has another history than the code', async () => {
    const service = await start();
    await query(
      database().url,
      `UPDATE _prisma_migrations SET migration_name = '2099_later' WHERE migration_name LIKE '%_init'`,
    );
    expect(await readiness(service)).toMatchObject({
      status: 503,
      body: { checks: { database: 'ok', migrations: 'failed' } },
    });
  });

  it('is 503 when the database is gone', async () => {
    const service = await start();
    await database().lose();
    expect(await readiness(service)).toMatchObject({ status: 503, body: { checks: { database: 'failed' } } });
  });
});

describe('provisioning', () => {
  it('is not repeated: deleted records stay deleted, and renamed ones keep their names', async () => {
    const first = await start();
    await first.app.db.prisma.paymentService.updateMany({ data: { deletedAt: new Date() } });
    await first.app.db.prisma.merchantAccount.updateMany({ data: { displayName: 'Mine' } });
    // A month later the record of the idempotency key is gone too.
    await first.app.db.prisma.idempotencyKey.deleteMany();
    await start();
    expect(await query(database().url, 'SELECT count(*)::int AS count FROM payment_service')).toEqual([
      { count: 1 },
    ]);
    expect(await query(database().url, 'SELECT display_name AS name FROM merchant_account')).toEqual([
      { name: 'Mine' },
    ]);
    expect(await query(database().url, 'SELECT count(*)::int AS count FROM api_key_pair')).toEqual([
      { count: 1 },
    ]);
  });
});
