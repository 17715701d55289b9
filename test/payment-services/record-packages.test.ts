import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordPackages } from '../../src/modules/payment-services/index.ts';
import { actingAs } from '../../src/platform/database/acting.ts';
import { query } from '../support/database.ts';
import { startHarness, type Harness, type Service } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const databaseUrl = (): string => harness.server.app.config.DATABASE_URL ?? '';

/** Records, as a start does, that this version of a package serves the sandbox's cards. Null: Paygraph itself does. */
const start = (version: string | null): Promise<void> => {
  const from = version === null ? {} : { package: { name: '@acme/cards', version } };
  const app = actingAs(harness.server.app, { kind: 'system', id: 'connector packages' });
  return recordPackages(app, [{ id: 'mock-card', ...from }, { id: 'unused' }]);
};

/** Reads the changes of the package in the audit log, oldest first. */
const changesOf = ({ id }: Service) =>
  query<{ actor: string; before: string | null; after: string | null }>(
    databaseUrl(),
    `SELECT actor_id AS actor, before::jsonb ->> 'connector_package' AS before,
       after::jsonb ->> 'connector_package' AS after
     FROM audit_entry WHERE target_id = $1 AND action = 'payment-service.updated' ORDER BY position`,
    [id],
  );

describe('the package of a payment service', () => {
  it('is in the audit log with its version, once for each change', async () => {
    const service = await harness.made();
    await start('1.0.0');
    await start('1.0.0');
    await start('1.1.0');
    await start(null);

    const actor = 'connector packages';
    expect(await changesOf(service)).toEqual([
      { actor, before: null, after: '@acme/cards@1.0.0' },
      { actor, before: '@acme/cards@1.0.0', after: '@acme/cards@1.1.0' },
      { actor, before: '@acme/cards@1.1.0', after: null },
    ]);
  });

  it('stays through a change of the service', async () => {
    const service = await harness.made();
    await start('2.0.0');
    const { paymentService } = await harness.update(service.id, { displayName: 'Other cards' });
    expect(paymentService).toMatchObject({ displayName: 'Other cards' });
    await start('2.0.0');

    const changed = await changesOf(service);
    expect(changed.map(({ after }) => after).filter((after) => after !== null)).toEqual([
      '@acme/cards@2.0.0',
    ]);
  });

  it('stays as it is for a deleted service, for other definitions, and without a connector', async () => {
    const deleted = await harness.made();
    await harness.delete(deleted.id);
    const other = await harness.made({ paymentServiceDefinitionId: 'mockds-card' });
    await start('3.0.0');

    for (const service of [deleted, other])
      expect((await changesOf(service)).filter(({ after }) => after !== null)).toEqual([]);
  });
});
