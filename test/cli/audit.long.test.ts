import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chainOnce, EXPORT_COLUMNS } from '../../src/modules/audit/index.ts';
import { startAccountsApi, type AccountsApi } from '../accounts/api.ts';
import { paygraph, type Ended } from '../support/command.ts';
import { query } from '../support/database.ts';

let api: AccountsApi;
beforeAll(async () => {
  api = await startAccountsApi();
  await api.createMerchantAccount({ id: 'shop', displayName: '=HYPERLINK("evil")' });
  await api.updateMerchantAccount('shop', { displayName: 'Two, "quoted"' });
  while (await chainOnce(api.server.app));
  await chainOnce(api.server.app);
}, 60_000);
afterAll(() => api.server.stop());

const databaseUrl = (): string => api.server.app.config.DATABASE_URL ?? '';

const audit = (...args: string[]): Promise<Ended> =>
  paygraph(['audit', ...args], {
    DATABASE_URL: databaseUrl(),
    PAYGRAPH_DATA_DIR: api.server.app.config.PAYGRAPH_DATA_DIR,
  }).ended;

describe('paygraph audit', () => {
  it('exports every entry as CSV without a formula', async () => {
    const { code, stdout } = await audit('--export', '--merchant-account', 'shop');

    const lines = stdout.split('\r\n');
    expect({ code, head: lines[0], end: lines.at(-1) }).toEqual({
      code: 0,
      head: EXPORT_COLUMNS.join(','),
      end: '',
    });
    const updated = lines.find((line) => line.includes('merchant-account.updated')) ?? '';
    expect(updated).toContain('"{""display_name"": ""Two, \\""quoted\\""""}"');
    expect(updated).toContain(',api_key,');
    expect(stdout).not.toMatch(/(^|,)[=+@-]/m);
  });

  it('exports the entries of a time', async () => {
    const { stdout } = await audit('--export', '--from', '2999-01-01');
    expect(stdout).toBe(`${EXPORT_COLUMNS.join(',')}\r\n`);
  });

  it('verifies, and ends with an error that names the changed entry', async () => {
    const good = await audit('--verify');
    const head = /shop:\d+:[0-9a-f]{64}/.exec(good.stdout)?.[0] ?? '';
    expect(good).toMatchObject({ code: 0, stderr: '' });
    await query(
      databaseUrl(),
      `ALTER TABLE audit_entry DISABLE TRIGGER USER;
       UPDATE audit_entry SET actor = '{"kind":"system"}' WHERE merchant_account_id = 'shop' AND action = 'merchant-account.updated'`,
    );

    const bad = await audit('--verify', '--expect', head);

    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^shop: The entry \d+ \([0-9a-f-]{36}\) was changed\.\n$/);
  });

  it.each([[[]], [['--verify', '--export']], [['--verify', '--expect', 'x']], [['--export', '--from', 'x']]])(
    'refuses %j with a sentence',
    async (args) => {
      const { code, stderr } = await audit(...args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^(Give one of|--expect: must|--from: must)/);
    },
  );
});
