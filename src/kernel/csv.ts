/** Returns a line of CSV by RFC 4180, with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A spreadsheet would run a cell with such a start as a formula. Some spreadsheets read full-width signs as the plain ones. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Some spreadsheets read a file as UTF-8 only with this start. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Puts an apostrophe in front of a free text that a spreadsheet would run as a formula. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
