import { parse } from 'csv-parse/sync';

/** The fields of a line. Null for a line that is no CSV. */
type Line = readonly string[] | null;

/** A report in CSV. Its lines are those below the header, without empty ones. */
export type CsvReport = { readonly header: readonly string[]; readonly lines: readonly Line[] };

/**
 * Reads a report with these columns, and perhaps others. Null for a text that is no such report, and for a report that was cut in
 * a line. A line that cannot be read spoils no other line.
 */
export function readCsvReport(csv: string, columns: readonly string[]): CsvReport | null {
  const whole = parsed(csv);
  const [header, ...lines] = whole && !hasSwallowed(whole) ? whole : parsedAlone(csv);
  // A page to log in has no lines either, so the header must be that of a report.
  if (!header || !columns.every((name) => header.includes(name))) return null;
  const isCut = lines.length > 0 && !csv.endsWith('\n') && lines.at(-1)?.length !== header.length;
  return isCut ? null : { header, lines };
}

/**
 * Returns the fields of a line by their columns. Null for a line with more or fewer fields than the header, whose values are in
 * wrong columns.
 */
export function csvRow({ header, lines }: CsvReport, index: number): Readonly<Record<string, string>> | null {
  const fields = lines[index];
  if (fields?.length !== header.length) return null;
  return Object.fromEntries(header.map((name, place) => [name, fields[place] ?? '']));
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
