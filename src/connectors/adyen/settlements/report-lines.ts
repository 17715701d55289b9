import { parse } from 'csv-parse/sync';
import { z } from 'zod';

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

/** The fields of a line. Null for a line that is no CSV. */
type Line = readonly string[] | null;

/** A report. Its lines are those below the header, without empty ones. */
export type Report = { readonly header: readonly string[]; readonly lines: readonly Line[] };

/** A row, or the column that cannot be read. */
export type ReadLine = { readonly row: Row } | { readonly field: string };

const NEEDED = ['Psp Reference', 'Type', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)'];

/**
 * Reads the lines of a report. Null for a text that is no such report, and for a report that was cut in a line. A line that cannot
 * be read spoils no other line.
 */
export function readReport(csv: string): Report | null {
  const whole = parsed(csv);
  const [header, ...lines] = whole && !hasSwallowed(whole) ? whole : parsedAlone(csv);
  // A page to log in has no lines either, so the header must be that of a report.
  if (!header || !NEEDED.every((name) => header.includes(name))) return null;
  const isCut = lines.length > 0 && !csv.endsWith('\n') && lines.at(-1)?.length !== header.length;
  return isCut ? null : { header, lines };
}

/** Reads one line of a report. A line with more or fewer fields than the header has values in wrong columns. */
export function readLine({ header, lines }: Report, index: number): ReadLine {
  const fields = lines[index];
  if (fields?.length !== header.length) return { field: 'columns' };
  const read = row.safeParse(Object.fromEntries(header.map((name, place) => [name, fields[place]])));
  return read.success ? { row: read.data } : { field: String(read.error.issues[0]?.path[0]) };
}

const OPTIONS = { bom: true, skip_empty_lines: true, relax_column_count: true } as const;

/** Parses a text whole. Null for unbalanced quotes. */
function parsed(csv: string): readonly Line[] | null {
  try {
    return parse(csv, OPTIONS);
  } catch {
    return null;
  }
}

/** True if a stray quote took whole lines into a field. The fields of such a line are too few or too many. */
const hasSwallowed = ([header, ...lines]: readonly Line[]): boolean =>
  lines.some((line) => line?.length !== header?.length && line?.some((field) => field.includes('\n')));

/** Parses each line alone, because a quote without its end takes the following lines into its field. */
const parsedAlone = (csv: string): readonly Line[] =>
  csv
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => parsed(line)?.[0] ?? null);
