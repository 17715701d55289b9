import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SOURCES } from '../../src/modules/exports/sources/sources.ts';
import { relayAll } from '../support/relay-all.ts';
import { startSettling, type Settling } from '../settlements/harness.ts';
import { exportingAs, linesOf, rowsOf, textOf, type Exporting, type Line } from './exporting.ts';

let settling: Settling;
let exporting: Exporting;

beforeAll(async () => {
  settling = await startSettling();
  const { harness, nextDay } = settling;
  await harness.create({ amount: 500, intent: 'CAPTURE', externalIdentifier: '=1+1' });
  const { transaction } = await harness.create({
    amount: 700,
    intent: 'CAPTURE',
    externalIdentifier: 'a,"b"',
  });
  await harness.refund(transaction?.id ?? '', { amount: 200 });
  await harness.create({ amount: 900, country: 'US' });
  await nextDay();
  await relayAll(harness.server.app);
  exporting = exportingAs(harness.server);
});
afterAll(() => settling.harness.stop());

/** The nodes of a list, oldest first. */
async function listed(query: string, field: string): Promise<readonly Line[]> {
  const found = await settling.harness.ask<Record<string, { nodes: readonly Line[] }>>(query);
  return found[field]?.nodes ?? [];
}

/** Returns the same records in both formats: the objects, and the cells. */
async function both(type: string, filter?: object) {
  const [json, csv] = [
    await exporting.made({ type, format: 'NDJSON', filter }),
    await exporting.made({ type, format: 'CSV', filter }),
  ];
  const text = await textOf(json);
  expect(json).toMatchObject({ status: 'SUCCEEDED', bytes: Buffer.byteLength(text), failureReason: null });
  const [lines, rows] = [linesOf(text), rowsOf(await textOf(csv))];
  expect({ json: json.rowsWritten, lines: lines.length }).toEqual({ json: lines.length, lines: rows.length });
  return { lines, rows };
}

/** The cells of an object: an apostrophe in front of a formula, nothing for null. */
const cellsOf = (line: Line, json: readonly string[] = []): Line =>
  Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      name,
      value === null ? '' : json.includes(name) ? expect.any(String) : textIn(value),
    ]),
  );

const textIn = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

describe('an export', () => {
  it('of transactions has the transactions of the list, in both formats', async () => {
    const { lines, rows } = await both('TRANSACTIONS');
    const nodes = await listed(
      `{ transactions(sort: CREATED_AT_ASC, first: 100) { nodes { id externalIdentifier status amount currency
        capturedAmount refundedAmount authorizedAmount card { lastFour } createdAt updatedAt capturedAt } } }`,
      'transactions',
    );

    expect(nodes).toHaveLength(3);
    expect(lines.map(shownTransaction)).toEqual(nodes);
    expect(lines[0]).toMatchObject({ external_identifier: '=1+1', amount: 500, captured_amount: 500 });
    expect(rows.map((row) => row['external_identifier'])).toEqual(["'=1+1", 'a,"b"', '']);
    expect(rows.map((row) => ({ ...row, external_identifier: '' }))).toEqual(
      lines.map((line) => ({ ...cellsOf(line), external_identifier: '' })),
    );
  });

  it('of transactions keeps to the filter of the list', async () => {
    const filter = { transactions: { status: ['AUTHORIZATION_SUCCEEDED'], amountGte: 900 } };
    const { lines } = await both('TRANSACTIONS', filter);
    expect(lines).toMatchObject([{ amount: 900, country: 'US', status: 'authorization_succeeded' }]);
  });

  it('of the ledger has every entry once', async () => {
    const { lines, rows } = await both('LEDGER');
    const entries = await settling.harness.server.app.db.prisma.ledgerEntry.findMany({
      orderBy: { id: 'asc' },
    });

    expect(lines.map(({ kind, amount }) => `${String(kind)} ${String(amount)}`)).toContain('refund 200');
    expect(lines).toEqual(
      entries.map((entry) => ({
        ...{ id: entry.id, transaction_id: entry.transactionId, operation_id: entry.operationId },
        ...{ kind: entry.kind, amount: entry.amount, currency: 'USD' },
        ...{ created_at: entry.createdAt.toISOString(), splits: null },
      })),
    );
    expect(rows).toEqual(lines.map((line) => cellsOf(line)));
    const until = entries[0]?.createdAt;
    const early = await both('LEDGER', { ledger: { createdAtLte: until } });
    expect(early.lines.length).toBeLessThan(lines.length);
    expect(early.lines[0]).toEqual(lines[0]);
  });

  it('of settlements has the entries of the list, and negative amounts as they are', async () => {
    const { lines, rows } = await both('SETTLEMENTS');
    const entries = (await settling.entries()).toReversed();

    expect(lines.map(({ id, net, kind }) => ({ id, net, kind }))).toEqual(
      entries.map(({ id, net, kind }) => ({ id, net, kind: kind.toLowerCase() })),
    );
    expect(rows).toEqual(lines.map((line) => cellsOf(line)));
    expect(rows.filter(({ net }) => net?.startsWith('-')).length).toBeGreaterThan(0);
    const charges = await both('SETTLEMENTS', {
      settlements: { kind: ['CHARGE'], settledOnGte: '2020-01-01' },
    });
    expect(charges.lines.map(({ kind }) => kind)).toEqual(['charge', 'charge']);
  });

  it('of events has the payloads of the feed', async () => {
    const { lines, rows } = await both('EVENTS');
    const nodes = await listed('{ events(first: 100) { nodes { id name sequence payload } } }', 'events');

    expect(lines.map(({ id, name, sequence, payload }) => ({ id, name, sequence, payload }))).toEqual(
      nodes.map((node) => ({ ...node, payload: JSON.parse(String(node['payload'])) as unknown })),
    );
    expect(rows.map(({ payload }) => payload)).toEqual(nodes.map(({ payload }) => payload));
    const some = await both('EVENTS', {
      events: { types: ['payout.*'], createdAtGte: '2020-01-01T00:00:00Z' },
    });
    expect(some.lines.map(({ name }) => name)).toEqual(['payout.created']);
    const none = await both('EVENTS', { events: { createdAtLte: '2020-01-01T00:00:00Z' } });
    expect(none.lines).toEqual([]);
  });

  it('of the audit log has the entries of the list', async () => {
    const { lines, rows } = await both('AUDIT_LOG', { auditLog: { action: 'payment-service.*' } });
    const nodes = await listed(
      '{ auditLog(first: 100, filter: { action: "payment-service.*" }) { nodes { id action before after } } }',
      'auditLog',
    );

    expect(lines.length).toBeGreaterThan(0);
    expect(lines.map(({ id, action, before, after }) => ({ id, action, before, after }))).toEqual(
      nodes.toReversed(),
    );
    expect(rows).toEqual(lines.map((line) => cellsOf(line, ['before', 'after'])));
  });

  it('without records has the names of the columns alone', async () => {
    const filter = { ledger: { createdAtLte: '2020-01-01T00:00:00Z' } };
    const csv = await exporting.made({ type: 'LEDGER', format: 'CSV', filter });
    expect(await textOf(csv)).toBe(
      'id,transaction_id,operation_id,kind,amount,currency,created_at,splits\r\n',
    );
    const json = await exporting.made({ type: 'LEDGER', format: 'NDJSON', filter });
    expect(await textOf(json)).toBe('');
  });

  it('has the columns of the guide, with those of free text', async () => {
    const guide = (await readFile('src/docs/guides/exports.md', 'utf8')).replace(/\s+/g, ' ');
    for (const [type, { columns }] of Object.entries(SOURCES))
      expect(guide).toContain(
        `\`${type.toUpperCase()}\`: \`\`\`text ${columns.map(({ name }) => name).join(', ')} \`\`\``,
      );
    const texts = Object.values(SOURCES).flatMap(({ columns }) =>
      columns.filter(({ kind }) => kind === 'text'),
    );
    for (const each of texts) expect(/free text are (.*?)\./.exec(guide)?.[1]).toContain(`\`${each.name}\``);
  });

  it('has no column for a card number, a token or a secret', () => {
    const names = Object.values(SOURCES).flatMap(({ columns }) => columns.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(70);
    expect(names.filter((name) => /number|token|secret|sealed|fingerprint|security|key/.test(name))).toEqual(
      [],
    );
  });
});

/** The fields of a transaction in the list, from the row of the export. */
const shownTransaction = (line: Line): Line => ({
  id: line['id'],
  externalIdentifier: line['external_identifier'],
  status: String(line['status']).toUpperCase(),
  amount: line['amount'],
  currency: line['currency'],
  capturedAmount: line['captured_amount'],
  refundedAmount: line['refunded_amount'],
  authorizedAmount: line['authorized_amount'],
  card: { lastFour: line['card_last_four'] },
  createdAt: line['created_at'],
  updatedAt: line['updated_at'],
  capturedAt: line['captured_at'],
});
