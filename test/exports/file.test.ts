import { expect, it } from '@jest/globals';
import type { ExportFormat } from '../../src/modules/exports/export.ts';
import type { ExportRow } from '../../src/modules/exports/sources/source.ts';
import { beginText, type Written } from '../../src/modules/exports/write/file.ts';

const COLUMNS = [
  { name: 'id', kind: 'value' },
  { name: 'note', kind: 'text' },
  { name: 'amount', kind: 'value' },
  { name: 'payload', kind: 'json' },
] as const;

const row = (position: string, ...cells: readonly (string | number | boolean | Date | null)[]) => ({
  ...{ position, cells },
});

function writeRows(
  format: ExportFormat,
  rows: readonly ExportRow[],
  isFirst: boolean,
  byteOrderMark = false,
): Written {
  const text = beginText({ format, byteOrderMark }, COLUMNS, isFirst);
  text.add(rows);
  return text.written();
}

const csvOf = (note: string): string =>
  writeRows('csv', [row('1', 'a', note, 1, null)], false).content.toString();

it.each([
  ['=1+1', "a,'=1+1,1,\r\n"],
  ['+1', "a,'+1,1,\r\n"],
  ['-1', "a,'-1,1,\r\n"],
  ['@sum', "a,'@sum,1,\r\n"],
  ['＝1+1', "a,'＝1+1,1,\r\n"],
  ['＋1', "a,'＋1,1,\r\n"],
  ['－1', "a,'－1,1,\r\n"],
  ['＠sum', "a,'＠sum,1,\r\n"],
  ['\tx', "a,'\tx,1,\r\n"],
  ['\rx', 'a,"\'\rx",1,\r\n'],
  ['=a,"b"', 'a,"\'=a,""b""",1,\r\n'],
  ['a=1', 'a,a=1,1,\r\n'],
  ['1＋1', 'a,1＋1,1,\r\n'],
  ['Zoë, "one"\nline', 'a,"Zoë, ""one""\nline",1,\r\n'],
])('defuses and quotes the text %j', (note, line) => {
  expect(csvOf(note)).toBe(line);
});

it('changes no amount, id or moment, and writes nothing for null', () => {
  const cells = ['-a', null, -5, '{"a":"b"}'] as const;
  const moment = new Date('2026-01-31T09:30:00.000Z');
  const { content } = writeRows('csv', [row('1', ...cells), row('2', moment, 'x', true, null)], true);
  expect(content.toString()).toBe(
    'id,note,amount,payload\r\n-a,,-5,"{""a"":""b""}"\r\n2026-01-31T09:30:00.000Z,x,true,\r\n',
  );
});

it('writes an object for each row, with JSON text as it is', () => {
  const written = writeRows('ndjson', [row('1', 'a', '=1\n', -5, '{"a":[1,2]}')], true);
  expect(written.content.toString()).toBe('{"id":"a","note":"=1\\n","amount":-5,"payload":{"a":[1,2]}}\n');
  expect(written.rows).toBe(1);
});

it('ends before one MiB, and says how many rows fit', () => {
  const long = 'ä'.repeat(200_000);
  const text = beginText({ format: 'csv', byteOrderMark: true }, COLUMNS, true);
  const rows = ['1', '2', '3'].map((position) => row(position, position, long, 1, null));
  expect([text.add(rows.slice(0, 1)), text.add(rows.slice(1)), text.add(rows.slice(2))]).toEqual([1, 1, 0]);
  const written = text.written();
  expect(written.rows).toBe(2);
  expect(written.content.length).toBeLessThanOrEqual(1_048_576);
});

it('takes a first row that is larger than a chunk', () => {
  const { content, rows } = writeRows('csv', [row('1', 'a', 'b'.repeat(2_500_000), 1, null)], false);
  expect([rows, content.toString()]).toEqual([1, expect.stringMatching(/^a,b{2500000},1,\r\n$/)]);
});

it('begins the first chunk of CSV alone with the byte order mark', () => {
  const rows = [row('1', 'a', 'b', 1, null)];

  expect(writeRows('csv', rows, true, true).content.toString('hex')).toMatch(/^efbbbf6964/);
  expect(writeRows('csv', rows, false, true).content.toString()).toBe('a,b,1,\r\n');
  expect(writeRows('csv', rows, true).content.toString()).toMatch(/^id,/);
});
