import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chainOnce, retainAuditOnce, verifyAudit } from '../../src/modules/audit/index.ts';
import { startAccountsApi, type AccountsApi } from '../accounts/api.ts';
import { query } from '../support/database.ts';

let api: AccountsApi;
/** A merchant account for each test, with five chained entries. */
let account: string;
let count = 0;

beforeAll(async () => {
  api = await startAccountsApi();
});
afterAll(() => api.server.stop());
beforeEach(async () => {
  account = `chained-${++count}`;
  // The first use of the key that hashes is an entry of its own.
  await api.server.app.vault.fingerprint(account, 'any');
  await api.createMerchantAccount({ id: account, displayName: 'One' });
  for (const displayName of ['Two', 'Three', 'Four'])
    await api.updateMerchantAccount(account, { displayName });
  await chain();
});

const chain = async (): Promise<void> => {
  while (await chainOnce(api.server.app));
};
const verify = (...more: [Parameters<typeof verifyAudit>[2]?]) =>
  verifyAudit(api.server.app, account, ...more);

/** Runs a statement as somebody who owns the database and switches its guards off. */
const tamper = (statement: string) =>
  query(
    api.server.app.config.DATABASE_URL ?? '',
    `ALTER TABLE audit_entry DISABLE TRIGGER USER; ALTER TABLE audit_block DISABLE TRIGGER USER; ${statement};
     ALTER TABLE audit_entry ENABLE TRIGGER USER; ALTER TABLE audit_block ENABLE TRIGGER USER`,
  );
/** The condition of the block with a place, and of the entry at a place. */
const around = (place: number): string =>
  `merchant_account_id = '${account}' AND ${place} BETWEEN sequence AND sequence + cardinality(ids) - 1`;
const at = (place: number): string =>
  `merchant_account_id = '${account}' AND id = (SELECT ids[(${place} - sequence + 1)::int] FROM audit_block WHERE ${around(place)})`;

describe('the chain of a merchant account', () => {
  it('numbers the entries without a gap, and fits', async () => {
    const { entries, head, faults } = await verify();

    expect({ entries, sequence: head.sequence, faults }).toEqual({ entries: 5, sequence: 5n, faults: [] });
    const { data } = await api.ask<{ auditLog: { nodes: readonly { sequence: number; hash: string }[] } }>(
      '{ auditLog(first: 1) { nodes { sequence hash } } }',
      {},
      await api.server.mint({ merchantAccountId: account }),
    );
    expect(data?.auditLog.nodes).toEqual([{ sequence: 5, hash: head.hash }]);
  });

  it('stays whole when several processes chain at once', async () => {
    for (const displayName of ['Six', 'Seven', 'Eight'])
      await api.updateMerchantAccount(account, { displayName });

    await Promise.all(Array.from({ length: 8 }, () => chainOnce(api.server.app)));
    await chain();

    expect(await verify()).toMatchObject({ entries: 8, faults: [] });
  });

  it.each([
    [
      'a changed field',
      (a: string) => `UPDATE audit_entry SET after = '{"display_name": "Else"}' WHERE ${a}`,
      'The entry 3 (',
    ],
    [
      'another actor',
      (a: string) => `UPDATE audit_entry SET actor = '{"kind": "system", "id": null}' WHERE ${a}`,
      'The entry 3 (',
    ],
    [
      'a removed entry',
      (a: string) => `DELETE FROM audit_entry WHERE ${a}`,
      'The entries 3 to 3 were removed.',
    ],
  ])('shows %s', async (_, statement, fault) => {
    await tamper(statement(at(3)));

    const { faults } = await verify();

    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });

  it('shows removed last entries, also behind a changed record of the chain', async () => {
    await tamper(`DELETE FROM audit_entry WHERE ${at(5)}`);
    expect((await verify()).faults).toEqual(['The entries 5 to 5 were removed.']);

    await tamper(
      `UPDATE audit_chain SET sequence = 4, hash = (SELECT hashes[(4 - sequence + 1)::int] FROM audit_block WHERE ${around(4)})
       WHERE merchant_account_id = '${account}';
       UPDATE audit_block SET ids = trim_array(ids, 1), hashes = trim_array(hashes, 1) WHERE ${around(5)}`,
    );
    expect((await verify()).faults).toEqual(['The record of the chain was changed: its seal does not fit.']);
  });

  it('shows entries that somebody kept out of the chain', async () => {
    await api.updateMerchantAccount(account, { displayName: 'Six' });
    await tamper(
      `UPDATE log_cursor SET position = (SELECT max(position) FROM audit_entry), missing = '{}', young = '{}' WHERE name = 'audit'`,
    );
    await chain();

    expect((await verifyAudit(inMinutes(2), account)).faults).toEqual([
      '1 entries are older than a minute and not chained. Is a worker running?',
    ]);
  });

  it('shows a whole earlier state by a head that was kept elsewhere', async () => {
    const { head } = await verify();
    await api.updateMerchantAccount(account, { displayName: 'Six' });
    await chain();

    expect((await verify(head)).faults).toEqual([]);
    expect((await verify({ ...head, hash: 'other' })).faults).toEqual([
      'The entry 5 has another hash than expected.',
    ]);
    expect((await verify({ sequence: 7n, hash: head.hash })).faults).toEqual([
      'The expected entry 7 does not exist. The chain ends at 6.',
    ]);
  });

  it('still fits after the retention has removed the oldest entries', async () => {
    const removed = await retainAuditOnce(later(31), 30);

    expect(removed).toBe(false);
    expect(await verify()).toMatchObject({ entries: 0, faults: [], head: { sequence: 5n } });
    await api.updateMerchantAccount(account, { displayName: 'Six' });
    await chain();
    expect(await verify()).toMatchObject({ entries: 1, faults: [], head: { sequence: 6n } });
    await tamper(`DELETE FROM audit_entry WHERE ${at(6)}`);
    expect((await verify()).faults).toEqual(['The entries 6 to 6 were removed.']);
    await tamper(`DELETE FROM audit_block WHERE ${around(6)}`);
    expect((await verify()).faults).toEqual(['The entries 6 to 6 were removed.']);
  });
});

/** Returns the app some minutes or days later. */
const inMinutes = (minutes: number) => ({
  ...api.server.app,
  clock: { ...api.server.app.clock, now: () => new Date(Date.now() + minutes * 60_000) },
});
const later = (days: number) => inMinutes(days * 24 * 60);
