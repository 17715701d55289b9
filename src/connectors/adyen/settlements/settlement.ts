import type {
  CallContext,
  SettlementAnswer,
  SettlementEntry,
  SettlementRequest,
  Settlements,
  UnreadableEntry,
} from '../../door.ts';
import { exchange } from '../exchange.ts';
import type { AdyenHosts } from '../hosts.ts';
import { readLine, readReport, type Report } from './report-lines.ts';
import { entryOf, payoutOf, referenceOf } from './settlement-report.ts';

/**
 * The settlements of Adyen, from the settlement details reports.
 *
 * Adyen numbers the batches of a merchant account without a gap. The name of a report holds the number, so the next address is
 * known. No webhook brings an address, which somebody else may have written.
 */
export const adyenSettlements = (hosts: AdyenHosts): Settlements => ({
  fetch: (context, request) => fetchPage(hosts, context, request),
});

/** The place of a page: a batch, and the number of its rows that came before. */
type Place = { readonly batch: number; readonly row: number };

/** The entries of a page, as many as the core stores at once. */
const PAGE_ROWS = 500;

/** The largest report. A report of 100 000 payments has some 25 MB. */
const REPORT_BYTES_MAX = 64 * 1024 * 1024;

async function fetchPage(
  hosts: AdyenHosts,
  context: CallContext,
  { cursor }: SettlementRequest,
): Promise<SettlementAnswer> {
  const { credentials } = context;
  const place = placeOf(cursor, Number(credentials['report_first_batch'] || '1'));
  const addresses = hosts(context);
  if (!addresses) return { kind: 'refused', reason: 'Give live_prefix, the prefix of the live endpoints.' };
  if (!place) return { kind: 'refused', reason: 'report_first_batch must be the number of a batch.' };
  const account = encodeURIComponent(credentials['merchant_account'] ?? '');
  const exchanged = await exchange(context, {
    method: 'GET',
    url: `${addresses.reports}/${account}/settlement_detail_report_batch_${place.batch}.csv`,
    apiKey: credentials['report_api_key'] || credentials['api_key'] || '',
    replyBytesMax: REPORT_BYTES_MAX,
  });
  return 'unknown' in exchanged ? exchanged.unknown : answerOf(exchanged, place);
}

function answerOf(
  { status, text }: { readonly status: number; readonly text: string },
  place: Place,
): SettlementAnswer {
  // The batch is still open, or its report is not made yet.
  if (status === 404) return { kind: 'page', entries: [], cursor: cursorOf(place), more: false };
  if (status === 401 || status === 403) return { kind: 'refused', reason: FORBIDDEN };
  if (status !== 200) return { kind: 'unknown', cause: status >= 500 ? 'server_error' : 'unreadable' };
  if (Buffer.byteLength(text) >= REPORT_BYTES_MAX)
    return { kind: 'refused', reason: `The report of batch ${place.batch} is too large.` };
  return pageOf(text, place);
}

const FORBIDDEN =
  'Adyen refuses the API key for reports. The report user needs the role for the reports of the merchant account.';

/** Returns the next rows of a report. After the last row, the cursor points to the next batch. */
function pageOf(csv: string, { batch, row }: Place): SettlementAnswer {
  const report = readReport(csv);
  if (!report) return { kind: 'unknown', cause: 'unreadable' };
  const count = report.lines.length;
  const end = Math.min(row + PAGE_ROWS, count);
  const entries: SettlementEntry[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (let index = row; index < end; index += 1) {
    const read = readEntry(report, batch, index);
    if ('entry' in read) entries.push(read.entry);
    else unreadable.push(lostOf(batch, index + 1, read.field));
  }
  const next = end < count ? { batch, row: end } : { batch: batch + 1, row: 0 };
  return { kind: 'page', entries, unreadable, cursor: cursorOf(next), more: true };
}

const lostOf = (batch: number, line: number, field: string): UnreadableEntry => ({
  ...{ reference: referenceOf(batch, line), line, payoutReference: payoutOf(batch), field },
});

function readEntry(
  report: Report,
  batch: number,
  index: number,
): { readonly entry: SettlementEntry } | { readonly field: string } {
  const read = readLine(report, index);
  if ('field' in read) return read;
  const entry = entryOf(read.row, batch, index + 1);
  return entry === null ? { field: 'amounts' } : { entry };
}

const cursorOf = ({ batch, row }: Place): string => `${batch}:${row}`;

/** Reads a cursor. A later first batch skips the batches before. Null for numbers that are none. */
function placeOf(cursor: string | null, firstBatch: number): Place | null {
  if (!Number.isSafeInteger(firstBatch) || firstBatch < 1) return null;
  const [, batch = '', row = ''] = /^(\d{1,9}):(\d{1,9})$/.exec(cursor ?? `${firstBatch}:0`) ?? [];
  if (batch === '') return null;
  return Number(batch) < firstBatch
    ? { batch: firstBatch, row: 0 }
    : { batch: Number(batch), row: Number(row) };
}
