import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { retainExportsOnce } from '../../src/modules/exports/index.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { exportingAs, textOf, writeAll, type Exporting, type Shown } from './exporting.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let harness: Harness;
let exporting: Exporting;

beforeAll(async () => {
  harness = await startHarness();
  await harness.captured();
  exporting = exportingAs(harness.server);
});
afterAll(() => harness.stop());

const input = { type: 'LEDGER', format: 'CSV' };
const made = (): Promise<Shown> => exporting.made(input);
const count = () => harness.server.app.db.prisma.export.count();
const get = (url: string, method = 'GET') => fetch(url, { method });

describe('a link', () => {
  it('gives the file with its type, name and size, and no cache', async () => {
    const file = await made();
    const [response, head] = [await get(file.downloadUrl ?? ''), await get(file.downloadUrl ?? '', 'HEAD')];

    const text = await response.text();
    for (const { headers, status } of [response, head]) {
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-length': String(Buffer.byteLength(text)),
        'content-disposition': expect.stringMatching(/^attachment; filename="ledger-[\dT-]+Z\.csv"$/),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(await head.text()).toBe('');
    expect(file.bytes).toBe(Buffer.byteLength(text));
  });

  it('gives a file that begins with the byte order mark, if the export has one', async () => {
    const marked = await exporting.made({ ...input, byteOrderMark: true });
    const plain = await made();
    const [first, second] = await Promise.all(
      [marked, plain].map(async ({ downloadUrl }) =>
        Buffer.from(await (await get(downloadUrl ?? '')).bytes()),
      ),
    );

    expect([marked.byteOrderMark, plain.byteOrderMark]).toEqual([true, false]);
    expect(first?.subarray(0, 5).toString('hex')).toBe('efbbbf6964');
    expect(first?.subarray(3)).toEqual(second);
    expect(marked.bytes).toBe(first?.length);
  });

  it('of NDJSON has no byte order mark', async () => {
    const before = await count();
    const wanted = { ...input, format: 'NDJSON' };

    expect(await exporting.create({ ...wanted, byteOrderMark: true })).toMatchObject({
      export: null,
      userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'byteOrderMark'] }],
    });
    expect(await count()).toBe(before);
    expect((await exporting.made({ ...wanted, byteOrderMark: false })).status).toBe('SUCCEEDED');
  });

  it('expires after an hour, and a query makes another', async () => {
    const { id, downloadUrl } = await made();
    await harness.pass(HOUR_MS + 1000);

    expect((await get(downloadUrl ?? '')).status).toBe(410);
    const again = await exporting.find(id);
    expect(again && (await textOf(again))).toContain('capture');
  });

  it('is refused with another signature, moment or id', async () => {
    const [one, other] = [await made(), await made()];
    const url = one.downloadUrl ?? '';
    const [, until = '', signature = ''] = /\/([0-9a-z]+)-([0-9a-f]+)$/.exec(url) ?? [];
    const base = url.slice(0, url.lastIndexOf('/'));
    const later = (Number.parseInt(until, 36) + 1).toString(36);
    const turned = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;

    for (const forged of [
      `${base}/${until}-${turned}`,
      `${base}/${later}-${signature}`,
      `${base}/${until}-${signature.slice(1)}`,
      `${base}/${until}`,
      url.replace(one.id, other.id),
      url.replace(one.id, 'none'),
      url.replace(one.id, harness.server.app.ids.uuid()),
    ])
      expect([forged, (await get(forged)).status]).toEqual([forged, 404]);
  });

  it('is in no log', async () => {
    const { downloadUrl } = await made();
    await get(downloadUrl ?? '');
    expect(harness.server.logs()).not.toContain(downloadUrl?.split('/').at(-1));
  });

  it('ends with the file after seven days, and retention removes the chunks', async () => {
    const { id, expiresAt, endedAt } = await made();
    expect(Date.parse(expiresAt ?? '') - Date.parse(endedAt ?? '')).toBe(7 * DAY_MS);
    await harness.pass(7 * DAY_MS - HOUR_MS / 2);
    const late = await exporting.find(id);
    await harness.pass(HOUR_MS / 2 + 2000);

    expect((await get(late?.downloadUrl ?? '')).status).toBe(410);
    while (await retainExportsOnce(harness.server.app));
    expect(await exporting.find(id)).toMatchObject({ status: 'EXPIRED', downloadUrl: null });
    const where = { exportId: id };
    expect(await harness.server.app.db.prisma.exportChunk.count({ where })).toBe(0);
  });
});

describe('an export is hidden', () => {
  it('from another merchant account, and has none of the records of another', async () => {
    const { id } = await made();
    const { id: merchantAccountId } = await harness.server.createMerchantAccount();
    const foreign = exportingAs(harness.server, { merchantAccountId });

    expect(await foreign.find(id)).toBeNull();
    expect(await foreign.list()).toEqual([]);
    expect(await foreign.made(input)).toMatchObject({ rowsWritten: 0 });
  });

  it('from a token that may not read its records', async () => {
    const { id } = await made();
    const blind = exportingAs(harness.server, { scopes: ['exports.read', 'events.read'] });

    expect(await blind.find(id)).toBeNull();
    expect(await blind.list()).toEqual([]);
    const sighted = exportingAs(harness.server, { scopes: ['exports.read', 'transactions.read'] });
    expect((await sighted.list()).map((one) => one.id)).toContain(id);
  });
});

describe('createExport refuses', () => {
  it.each([
    ['LEDGER', ['*.read'], 'exports.write'],
    ['TRANSACTIONS', ['exports.*', 'exports.write', 'exports.read'], 'transactions.read'],
    ['LEDGER', ['exports.write', 'exports.read', 'events.read'], 'transactions.read'],
    ['SETTLEMENTS', ['exports.write', 'exports.read', 'transactions.read'], 'settlements.read'],
    ['EVENTS', ['exports.write', 'exports.read', 'transactions.read'], 'events.read'],
    ['AUDIT_LOG', ['exports.write', 'exports.read', 'transactions.read'], 'audit.read'],
  ])('%s of a token with %j, which lacks %s', async (type, scopes, missing) => {
    const before = await count();
    const lacking = exportingAs(harness.server, { scopes: scopes.filter((scope) => scope !== 'exports.*') });
    await expect(lacking.create({ type, format: 'CSV' })).rejects.toThrow(missing);
    expect(await count()).toBe(before);
  });

  it.each([
    [{ search: 'ann' }, 'buyers.read'],
    [{ disputed: true }, 'disputes.read'],
    [{ buyerEmailAddress: 'ann@shop.example' }, 'buyers.read'],
    [{ cardFingerprint: 'abc' }, 'card-fingerprints.read'],
  ])('the conditions %j of a token that may not ask them', async (transactions, missing) => {
    const scopes = ['exports.write', 'exports.read', 'transactions.read'];
    const lacking = exportingAs(harness.server, { scopes });
    const filter = { transactions };
    await expect(lacking.create({ type: 'TRANSACTIONS', format: 'CSV', filter })).rejects.toThrow(missing);
  });

  it.each([
    ['TRANSACTIONS', { transactions: { amountGte: -1 } }, 'transactions.amountGte'],
    [
      'TRANSACTIONS',
      { transactions: { createdAtGte: '2026-02-01T00:00:00Z', createdAtLte: '2026-01-01T00:00:00Z' } },
      'transactions.createdAtGte',
    ],
    ['LEDGER', { transactions: {} }, 'transactions'],
    [
      'LEDGER',
      { ledger: { createdAtGte: '2026-02-01T00:00:00Z', createdAtLte: '2026-01-01T00:00:00Z' } },
      'ledger.createdAtGte',
    ],
    ['SETTLEMENTS', { settlements: { settledOnGte: '31.1.2026' } }, 'settlements.settledOnGte'],
    ['EVENTS', { events: { types: ['no.such'] } }, 'events.types.0'],
    ['AUDIT_LOG', { auditLog: { actor: 'a'.repeat(256) } }, 'auditLog.actor'],
  ])('%s with the conditions %j', async (type, filter, path) => {
    const before = await count();
    const { export: none, userErrors } = await exporting.create({ type, format: 'CSV', filter });

    expect(none).toBeNull();
    expect(userErrors.map(({ code, path: at }) => [code, at.join('.')])).toEqual([
      ['INVALID_INPUT', `input.filter.${path}`],
    ]);
    expect(await count()).toBe(before);
  });

  it('an eleventh unfinished export', async () => {
    for (let number = 1; number <= 10; number += 1) await exporting.create(input);
    const { userErrors } = await exporting.create(input);

    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input'] }]);
    await writeAll(harness.server);
    expect((await exporting.create(input)).userErrors).toEqual([]);
    await writeAll(harness.server);
  });
});
