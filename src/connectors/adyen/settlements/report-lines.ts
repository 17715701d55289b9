import { z } from 'zod';
import { csvRow, readCsvReport, type CsvReport } from '../../door.ts';

const text = z.string().default('');

/** A row of the settlement details report. Other columns are possible. */
const row = z.object({
  'Psp Reference': text,
  'Merchant Reference': text,
  'Creation Date': z.string(),
  'Booking Date': text,
  Type: z.string().min(1),
  'Modification Reference': text,
  'Gross Currency': text,
  'Gross Debit (GC)': text,
  'Gross Credit (GC)': text,
  'Exchange Rate': text,
  'Net Currency': z.string().regex(/^[A-Z]{3}$/),
  'Net Debit (NC)': text,
  'Net Credit (NC)': text,
  'Commission (NC)': text,
  'Markup (NC)': text,
  'Scheme Fees (NC)': text,
  'Interchange (NC)': text,
  'Modification Merchant Reference': text,
});

export type Row = z.output<typeof row>;

/** A row, or the column that cannot be read. */
export type ReadLine = { readonly row: Row } | { readonly field: string };

const NEEDED = ['Psp Reference', 'Type', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)'];

/** Reads the lines of a report. Null for a text that is no such report. */
export const readReport = (csv: string): CsvReport | null => readCsvReport(csv, NEEDED);

/** Reads one line of a report. */
export function readLine(report: CsvReport, index: number): ReadLine {
  const fields = csvRow(report, index);
  if (!fields) return { field: 'columns' };
  const read = row.safeParse(fields);
  return read.success ? { row: read.data } : { field: String(read.error.issues[0]?.path[0]) };
}
