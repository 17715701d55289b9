import { BYTE_ORDER_MARK, csvLine, withoutFormula } from '../../../kernel/csv.ts';
import type { Export, ExportFormat } from '../export.ts';
import type { Cell, ColumnKind, ExportRow, Source } from '../sources/source.ts';

type Columns = Source['columns'];

/** The most text of a chunk, which one commit adds to the file, in bytes. */
const CHUNK_BYTES_MAX = 1_048_576;

/** The text of some rows: at most a chunk, or one larger row. */
export type Written = {
  readonly content: Buffer;
  readonly rows: number;
};

/** The next text of a file, which grows page by page until it fills a chunk. */
export type FileText = {
  /**
   * Adds rows as long as they fit, and returns their number. A row that is larger than a chunk is added if it is the first.
   */
  readonly add: (rows: readonly ExportRow[]) => number;
  readonly written: () => Written;
};

/**
 * Begins a text. With `isFirst`, CSV begins with the byte order mark, if one is wanted, and with the names of the columns. A
 * line becomes bytes at once, so that the memory of its text is free again soon.
 */
export function beginText(
  { format, byteOrderMark }: Pick<Export, 'format' | 'byteOrderMark'>,
  columns: Columns,
  isFirst: boolean,
): FileText {
  let content = Buffer.allocUnsafe(CHUNK_BYTES_MAX);
  let bytes = 0;
  let written = 0;
  // False if the line does not fit. The first row always does.
  const append = (line: string): boolean => {
    const end = bytes + Buffer.byteLength(line);
    if (written > 0 && end > CHUNK_BYTES_MAX) return false;
    if (end > content.length) content = Buffer.concat([content], end);
    content.write(line, bytes);
    bytes = end;
    return true;
  };
  if (isFirst && format === 'csv')
    append(`${byteOrderMark ? BYTE_ORDER_MARK : ''}${csvLine(columns.map(({ name }) => name))}`);
  return {
    add: (rows) => {
      const before = written;
      for (const { cells } of rows) {
        if (!append(LINES[format](columns, cells))) break;
        written += 1;
      }
      return written - before;
    },
    written: () => ({ content: content.subarray(0, bytes), rows: written }),
  };
}

const LINES = {
  csv: (columns, cells) => csvLine(cells.map((cell, index) => csvCell(columns[index]?.kind, cell))),
  ndjson: (columns, cells) =>
    `{${columns.map(({ name, kind }, index) => `"${name}":${jsonValue(kind, cells[index] ?? null)}`).join(',')}}\n`,
} as const satisfies Record<ExportFormat, (columns: Columns, cells: readonly Cell[]) => string>;

function csvCell(kind: ColumnKind | undefined, cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  return kind === 'text' ? withoutFormula(String(cell)) : String(cell);
}

/** JSON text goes into the line as it is. Its writers put no line break between values. */
const jsonValue = (kind: ColumnKind, cell: Cell): string =>
  kind === 'json' && cell !== null ? String(cell) : JSON.stringify(cell);
