import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.ts';
import {
  connectionOf,
  findCandidates,
  type ConnectionRow,
} from '../../src/modules/payment-services/index.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
let app: App;
let merchantAccountId: string;
const fields = [
  { key: 'api_key', value: 'sk_secret' },
  { key: 'merchant_id', value: 'm-9' },
];

beforeAll(async () => {
  harness = await startHarness();
  ({ merchantAccountId } = harness);
  ({ app } = harness.server);
});

afterAll(() => harness.stop());

/** Reads the columns of a service that a claim of an operation answers. */
async function rowOf(id: string): Promise<ConnectionRow> {
  const row = await app.db.prisma.paymentService.findUniqueOrThrow({
    where: { merchantAccountId_id: { merchantAccountId, id } },
    select: {
      ...{ id: true, displayName: true, definitionId: true, fields: true, sealedFields: true },
      webhookToken: true,
    },
  });
  return { ...row, fields: row.fields as { key: string; value: string }[] };
}

describe('a connection', () => {
  test('has the connector, the definition and all credentials in clear text', async () => {
    const { id } = await harness.made({ fields });

    const connection = await connectionOf(app, merchantAccountId, await rowOf(id));

    expect(connection.credentials).toEqual({ merchant_id: 'm-9', api_key: 'sk_secret' });
    expect(connection.definition.id).toBe('mock-card');
    expect(connection.connector).toBe(app.connectors[0]);
  });

  test('opens from a candidate', async () => {
    const other = await harness.rival();
    await other.made({ fields });
    const [candidate] = await findCandidates(app, other.merchantAccountId, {
      method: 'card',
      currency: 'USD',
      country: null,
    });
    if (!candidate) throw new Error('no candidate');

    const { credentials } = await connectionOf(app, other.merchantAccountId, candidate);

    expect(credentials).toEqual({ merchant_id: 'm-9', api_key: 'sk_secret' });
  });

  test('needs no vault where no field is secret', async () => {
    const { id } = await harness.made();
    const row = await rowOf(id);
    const shut = { ...app, vault: { ...app.vault, open: () => Promise.reject(new Error('shut')) } };

    expect(row.sealedFields).toBeNull();
    expect((await connectionOf(shut, merchantAccountId, row)).credentials).toEqual({
      merchant_id: 'm-1',
    });
  });

  test('follows a changed secret at once', async () => {
    const { id } = await harness.made({ fields });
    await connectionOf(app, merchantAccountId, await rowOf(id));

    await harness.update(id, { fields: [{ key: 'api_key', value: 'sk_new' }] });

    const { credentials } = await connectionOf(app, merchantAccountId, await rowOf(id));
    expect(credentials).toEqual({ merchant_id: 'm-9', api_key: 'sk_new' });
  });

  test('still opens for a deleted service', async () => {
    const { id } = await harness.made({ fields });
    await harness.delete(id);

    const { credentials } = await connectionOf(app, merchantAccountId, await rowOf(id));

    expect(credentials).toEqual({ merchant_id: 'm-9', api_key: 'sk_secret' });
  });

  test('does not open for another merchant account or another service, even when it was opened just before', async () => {
    const rival = await harness.rival();
    const { id } = await harness.made({ fields });
    const row = await rowOf(id);
    await connectionOf(app, merchantAccountId, row);

    await expect(connectionOf(app, rival.merchantAccountId, row)).rejects.toThrow('does not have');
    await expect(connectionOf(app, merchantAccountId, { ...row, id: app.ids.uuid() })).rejects.toThrow(
      'belongs elsewhere',
    );
  });

  test('is opened by the vault once for many calls', async () => {
    const { id } = await harness.made({ fields });
    const row = await rowOf(id);
    let opened = 0;
    const open: App['vault']['open'] = (...given) => {
      opened++;
      return app.vault.open(...given);
    };
    const counting = { ...app, vault: { ...app.vault, open } };

    for (let call = 0; call < 100; call++) await connectionOf(counting, merchantAccountId, row);

    expect(opened).toBe(1);
  });

  test('is refused when no connector has the definition', async () => {
    const { id } = await harness.made({ fields });

    const opening = connectionOf({ ...app, connectors: [] }, merchantAccountId, await rowOf(id));

    await expect(opening).rejects.toThrow('No connector has the definition mock-card.');
  });
});
