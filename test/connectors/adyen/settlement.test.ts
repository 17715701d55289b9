import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { CREDENTIALS, KEY } from './samples.ts';
import { openScripted } from './scripted-server.ts';
import { fetchSettlements } from '../../../src/connectors/calls/call-settlements.ts';
import type { SettlementAnswer, SettlementEntry } from '../../../src/connectors/notices/settlements.ts';

const HEADER =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number,Reserved4,Reserved5,Reserved6,Reserved7,Reserved8,Reserved9,Reserved10';

type Cells = Partial<Record<string, string>>;

const rowOf = (cells: Cells): string => {
  const defaults: Cells = {
    ...{ 'Company Account': 'TestCompany', 'Merchant Account': 'PaygraphTest', 'Payment Method': 'visa' },
    ...{ 'Psp Reference': '1813702551707653', 'Merchant Reference': KEY, TimeZone: 'CET' },
    'Batch Number': '7',
    ...{ 'Creation Date': '2026-11-20 11:26:49', 'Modification Reference': '1713702551795048' },
    ...{ 'Gross Currency': 'EUR', 'Exchange Rate': '1', 'Net Currency': 'EUR' },
  };
  return HEADER.split(',')
    .map((column) => cells[column] ?? defaults[column] ?? '')
    .join(',');
};

const reportOf = (...rows: readonly Cells[]): string => [HEADER, ...rows.map(rowOf), ''].join('\n');

const server = await openScripted();

const fetchFrom = (cursor: string | null, credentials = {}): Promise<SettlementAnswer> =>
  fetchSettlements(
    server.connector,
    server.context({ credentials: { ...CREDENTIALS, ...credentials } }),
    pino({ level: 'silent' }),
    { cursor, since: new Date(0), now: new Date('2026-11-24T12:00:00Z'), booked: () => Promise.resolve([]) },
  );

async function entryOf(cells: Cells): Promise<SettlementEntry> {
  server.answer({ body: reportOf(cells) });
  const page = await fetchFrom('7:0');
  if (page.kind !== 'page' || !page.entries[0]) throw new Error(JSON.stringify(page));
  return page.entries[0];
}

const SETTLED = {
  ...{ Type: 'Settled', 'Gross Credit (GC)': '5.00', 'Net Credit (NC)': '4.88', 'Markup (NC)': '0.04' },
  ...{ 'Scheme Fees (NC)': '0.01', 'Interchange (NC)': '0.07' },
};

describe('an entry of a report', () => {
  it('is a charge of the capture that it names', async () => {
    const reference = `${KEY}_capture`;
    expect(await entryOf({ ...SETTLED, 'Modification Merchant Reference': reference })).toEqual({
      ...{ reference: 'batch-7-1', line: 1, kind: 'charge', providerKind: 'Settled', key: KEY },
      operationReference: '1713702551795048',
      ...{ paymentReference: '1813702551707653', disputeReference: null, payoutReference: 'batch-7' },
      ...{ gross: 500, fee: 12, net: 488, currency: 'EUR', exchangeRate: null },
      ...{ original: { amount: 500, currency: 'EUR' }, settledOn: '2026-11-20' },
    });
  });

  it.each([
    [
      'Refunded',
      { 'Gross Debit (GC)': '5.00', 'Net Debit (NC)': '5.10', 'Commission (NC)': '0.10' },
      'refund',
      [-500, 10, -510],
    ],
    [
      'RefundedReversed',
      { 'Gross Credit (GC)': '5.00', 'Net Credit (NC)': '5.00' },
      'reversal',
      [500, 0, 500],
    ],
    [
      'Chargeback',
      { 'Gross Debit (GC)': '349.99', 'Net Debit (NC)': '357.49', 'Commission (NC)': '7.5' },
      'chargeback',
      [-34_999, 750, -35_749],
    ],
    ['SecondChargeback', { 'Gross Debit (GC)': '5', 'Net Debit (NC)': '5' }, 'chargeback', [-500, 0, -500]],
    [
      'ChargebackReversed',
      { 'Gross Credit (GC)': '5', 'Net Credit (NC)': '5' },
      'chargeback_reversal',
      [500, 0, 500],
    ],
    ['Fee', { 'Gross Currency': '', 'Net Debit (NC)': '7.55' }, 'fee', [0, 755, -755]],
    ['InvoiceDeduction', { 'Gross Currency': '', 'Net Debit (NC)': '70' }, 'fee', [0, 7000, -7000]],
    [
      'MerchantPayout',
      { 'Gross Currency': '', 'Net Debit (NC)': '1234.56' },
      'payout',
      [-123_456, 0, -123_456],
    ],
    [
      'BankInstructionReturned',
      { 'Gross Currency': '', 'Net Credit (NC)': '1' },
      'payout_reversal',
      [100, 0, 100],
    ],
    ['DepositCorrection', { 'Gross Currency': '', 'Net Debit (NC)': '9' }, 'adjustment', [-900, 0, -900]],
    ['ANewType', { 'Gross Currency': '', 'Net Credit (NC)': '9' }, 'unknown', [900, 0, 900]],
    ['Refunded', { 'Gross Credit (GC)': '5.00', 'Net Credit (NC)': '5.00' }, 'adjustment', [500, 0, 500]],
  ] as const)('of the type %s: %j', async (type, cells, kind, [gross, fee, net]) => {
    expect(await entryOf({ Type: type, ...cells })).toMatchObject({ kind, gross, fee, net });
  });

  it.each([
    ...(['SettledBulk', 'SettledInstallment', 'SettledInInstallments', 'SettledExternallyWithInfo'] as const),
    ...(['SettledInstallmentBulk', 'SettledInstallmentExternallyWithInfo'] as const),
  ])('of the type %s is a charge with its key and its fee', async (type) => {
    const cells = { ...SETTLED, Type: type, 'Modification Merchant Reference': `${KEY}_capture` };
    expect(await entryOf(cells)).toMatchObject({
      ...{ kind: 'charge', providerKind: type, key: KEY, operationReference: '1713702551795048' },
      ...{ gross: 500, fee: 12, net: 488 },
    });
  });

  it.each([
    ...(['RefundedBulk', 'RefundedExternallyWithInfo', 'RefundedInstallment'] as const),
    ...(['RefundedInInstallments', 'RefundedInstallmentExternallyWithInfo'] as const),
  ])('of the type %s is a refund with its key and its fee', async (type) => {
    const cells = {
      Type: type,
      'Gross Debit (GC)': '5.00',
      'Net Debit (NC)': '5.10',
      'Commission (NC)': '0.10',
    };
    const reference = { 'Modification Merchant Reference': `${KEY}_refund` };
    expect(await entryOf({ ...cells, ...reference })).toMatchObject({
      ...{ kind: 'refund', providerKind: type, key: KEY, operationReference: '1713702551795048' },
      ...{ gross: -500, fee: 10, net: -510 },
    });
  });

  it('of a new type keeps the names, the line and the word', async () => {
    expect(await entryOf({ ...SETTLED, Type: 'ANewType' })).toMatchObject({
      ...{ kind: 'unknown', providerKind: 'ANewType', line: 1, reference: 'batch-7-1', key: KEY },
      ...{ paymentReference: '1813702551707653', gross: 488, fee: 0, net: 488 },
    });
  });

  it('of a dispute names the dispute, not the operation', async () => {
    const cells = { Type: 'Chargeback', 'Gross Debit (GC)': '5', 'Net Debit (NC)': '5' };
    expect(await entryOf(cells)).toMatchObject({
      ...{ key: null, operationReference: null, disputeReference: '1713702551795048' },
      paymentReference: '1813702551707653',
    });
  });

  it('after a conversion has the gross amount of the payout', async () => {
    const cells = {
      ...SETTLED,
      'Gross Currency': 'USD',
      'Gross Credit (GC)': '6.00',
      'Exchange Rate': '0.8333',
    };
    expect(await entryOf({ ...cells, 'Markup (NC)': '0.0412', 'Interchange (NC)': '0.0688' })).toMatchObject({
      ...{ gross: 500, fee: 12, net: 488, currency: 'EUR', exchangeRate: '0.8333' },
      original: { amount: 600, currency: 'USD' },
    });
  });

  it('has the decimals of its currency at Adyen', async () => {
    const cells = { Type: 'Settled', 'Gross Currency': 'JPY', 'Net Currency': 'JPY' };
    expect(await entryOf({ ...cells, 'Gross Credit (GC)': '500', 'Net Credit (NC)': '490' })).toMatchObject({
      gross: 500,
      fee: 10,
      net: 490,
    });
  });

  it('is of the day of its booking where the report tells it', async () => {
    server.answer({ body: `${HEADER},Booking Date\n${rowOf(SETTLED)},2026-11-22 03:00:00\n` });
    expect(await fetchFrom('7:0')).toMatchObject({ entries: [{ settledOn: '2026-11-22' }] });
  });

  it('of a sale names the authorisation', async () => {
    expect(await entryOf(SETTLED)).toMatchObject({ key: KEY });
    expect(await entryOf({ ...SETTLED, 'Merchant Reference': 'of another system' })).toMatchObject({
      key: null,
    });
  });
});

describe('a fetch of settlements', () => {
  it('begins with the first batch, with the key of the report user', async () => {
    server.answer({ body: reportOf(SETTLED) });
    expect(await fetchFrom(null, { report_api_key: 'report-key', report_first_batch: '4' })).toMatchObject({
      cursor: '5:0',
      more: true,
    });
    expect(server.received).toEqual([
      {
        ...{ method: 'GET', path: '/reports/PaygraphTest/settlement_detail_report_batch_4.csv', body: null },
        ...{ key: undefined, apiKey: 'report-key' },
      },
    ]);
  });

  it('waits for a batch that has no report yet', async () => {
    server.answer({ status: 404, body: 'Not found' });
    expect(await fetchFrom('8:0')).toEqual({ kind: 'page', entries: [], cursor: '8:0', more: false });
  });

  it('goes through a large report in pages', async () => {
    server.answer({ body: reportOf(...Array.from({ length: 1_001 }, () => SETTLED)) });
    const pages = [await fetchFrom('7:0'), await fetchFrom('7:500'), await fetchFrom('7:1000')];
    expect(pages.map((page) => page.kind === 'page' && [page.entries.length, page.cursor])).toEqual([
      [500, '7:500'],
      [500, '7:1000'],
      [1, '8:0'],
    ]);
    expect(pages[2]).toMatchObject({ entries: [{ reference: 'batch-7-1001' }] });
  });

  it('skips the batches before a later first batch', async () => {
    server.answer({ body: reportOf(SETTLED) });
    expect(await fetchFrom('7:500', { report_first_batch: '9' })).toMatchObject({ cursor: '10:0' });
  });

  it('goes on after a batch without entries', async () => {
    server.answer({ body: reportOf() });
    expect(await fetchFrom('7:0')).toEqual({ kind: 'page', entries: [], cursor: '8:0', more: true });
  });

  it.each([401, 403])('is refused with the status %s', async (status) => {
    server.answer({ status, body: '' });
    expect(await fetchFrom('7:0')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('report user'),
    });
  });

  it.each(['0', '-1', '1.5', 'first'])(
    'is refused for the first batch %s, without a call',
    async (report_first_batch) => {
      server.answer({ body: reportOf(SETTLED) });
      expect(await fetchFrom(null, { report_first_batch })).toMatchObject({ kind: 'refused' });
      expect(server.received).toEqual([]);
    },
  );

  it.each([
    ['a page to log in', { body: '<html>Log in</html>' }],
    ['no report', { body: '' }],
    ['a report that ends in its only row', { body: `${HEADER}\nTestCompany,PaygraphTest` }],
    ['a report that ends in a row', { body: reportOf(SETTLED, SETTLED).slice(0, -30) }],
    ['a report that ends in a quote', { body: `${reportOf(SETTLED)}TestCompany,"Payg` }],
    ['a redirect', { status: 302, body: '' }],
    ['several rows without a readable one', { body: `${HEADER}\na\nb\n` }],
  ])('of %s is unknown', async (_name, answer) => {
    server.answer(answer);
    expect(await fetchFrom('7:0')).toMatchObject({ kind: 'unknown' });
  });
});

describe('a line that cannot be read', () => {
  const LOST = { kind: 'unreadable', gross: 0, fee: 0, net: 0, currency: 'XXX' };

  it.each([
    ['an amount with too many decimals', rowOf({ ...SETTLED, 'Net Credit (NC)': '4.885' })],
    ['costs with too many decimals', rowOf({ ...SETTLED, 'Gross Currency': 'USD', 'Markup (NC)': '0.041' })],
    ['an amount that is none', rowOf({ ...SETTLED, 'Net Credit (NC)': '4,88x' })],
    ['no currency', rowOf({ ...SETTLED, 'Net Currency': '' })],
    ['no type', rowOf({ ...SETTLED, Type: '' })],
    ['no day', rowOf({ ...SETTLED, 'Creation Date': 'yesterday' })],
    ['too few fields', 'TestCompany,PaygraphTest'],
    ['a field too many', `${rowOf(SETTLED)},`],
    ['a quote without its end', 'TestCompany,"PaygraphTest'],
    ['a quote inside a field', rowOf(SETTLED).replace('TestCompany', 'Test"Company')],
  ])('because of %s leaves the rest of the batch, and keeps its number', async (_, line) => {
    const body = `${HEADER}\n${[rowOf(SETTLED), line, rowOf(SETTLED)].join('\n')}\n`;
    server.answer({ body });

    const page = await fetchFrom('7:0');

    if (page.kind !== 'page') throw new Error(page.kind);
    expect(page).toMatchObject({ cursor: '8:0', more: true });
    expect(page.entries.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))).toMatchObject([
      { reference: 'batch-7-1', line: 1, kind: 'charge', net: 488 },
      { ...LOST, reference: 'batch-7-2', line: 2, payoutReference: 'batch-7', settledOn: '2026-11-24' },
      { reference: 'batch-7-3', line: 3, kind: 'charge', net: 488 },
    ]);
    // Adyen never changes a report, and neither does its reading.
    server.answer({ body });
    expect(await fetchFrom('7:0')).toEqual(page);
  });

  it('does not take the next lines into a quote that another line ends', async () => {
    const odd = 'TestCompany,"PaygraphTest';
    server.answer({
      body: `${HEADER}\n${[odd, rowOf(SETTLED), 'TestCompany",x', rowOf(SETTLED)].join('\n')}\n`,
    });
    const page = await fetchFrom('7:0');
    if (page.kind !== 'page') throw new Error(page.kind);
    expect(page.entries.map(({ kind, line }) => [kind, line])).toEqual([
      ...[
        ['charge', 2],
        ['charge', 4],
        ['unreadable', 1],
        ['unreadable', 3],
      ],
    ]);
  });

  it('alone in its batch does not hold up the next batch', async () => {
    server.answer({ body: reportOf({ ...SETTLED, 'Net Credit (NC)': '4.885' }) });
    expect(await fetchFrom('7:0')).toMatchObject({
      ...{ kind: 'page', cursor: '8:0', entries: [{ ...LOST, reference: 'batch-7-1', line: 1 }] },
    });
  });
});
