import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EXPORT_COLUMNS, exportAudit } from '../../src/modules/audit/index.ts';
import { startAccountsApi, type AccountsApi } from '../accounts/api.ts';

let api: AccountsApi;
beforeAll(async () => {
  api = await startAccountsApi();
  await api.createMerchantAccount({ id: 'shop', displayName: 'One' });
  await api.updateMerchantAccount('shop', { displayName: 'Two, "quoted"' });
});
afterAll(() => api.server.stop());

type Period = Parameters<typeof exportAudit>[2];

const ALWAYS: Period = { from: null, to: null };

async function exported(period = ALWAYS): Promise<readonly string[]> {
  const chunks = await Array.fromAsync(exportAudit(api.server.app, ['shop'], period));
  return chunks.join('').split('\r\n');
}

it('exports the entries oldest first, with quotes doubled', async () => {
  const [head, created, updated, end, ...rest] = await exported();

  expect({ head, end, rest }).toEqual({ head: EXPORT_COLUMNS.join(','), end: '', rest: [] });
  expect(created).toContain(',merchant-account.created,merchant-account,shop,api_key,');
  expect(updated).toMatch(/,"{""display_name"": ""One""}","{""display_name"": ""Two, \\""quoted\\""""}",$/);
});

it('exports a line of JSON for each entry', async () => {
  const chunks = await Array.fromAsync(exportAudit(api.server.app, ['shop'], ALWAYS, 'json'));
  const [created, updated] = chunks
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

  expect(created).toMatchObject({ action: 'merchant-account.created', target_id: 'shop', before: null });
  expect(updated).toMatchObject({
    ...{ sequence: null, before: { display_name: 'One' }, after: { display_name: 'Two, "quoted"' } },
  });
  expect(Object.keys(created ?? {})).toEqual(EXPORT_COLUMNS);
});

it('leaves no cell that a spreadsheet runs as a formula', async () => {
  const { prisma } = api.server.app.db;
  const own = { merchantAccountId: 'shop', targetType: 'x', actorKind: 'system', createdAt: new Date() };
  const row = {
    ...own,
    id: api.server.app.ids.uuid(),
    actorId: '+1',
    targetId: '@now',
    actor: '{"subject":"-1"}',
  };
  await prisma.auditEntry.create({ data: { ...row, action: '=1+1', before: '\tx', after: '\rx' } });

  const line = (await exported()).at(-2) ?? '';

  expect(line).toContain(`,'=1+1,x,'@now,system,'+1,'-1,`);
  expect(line).toContain(`,'\tx,"'\rx",`);
});

it('exports nothing but the names of the columns for a time without entries', async () => {
  const lines = await exported({ ...ALWAYS, from: new Date('2999-01-01') });
  expect(lines).toEqual([EXPORT_COLUMNS.join(','), '']);
});
