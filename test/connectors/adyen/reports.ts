import type { Amount, Entry } from './model.ts';
import type { State } from './state.ts';

/** The columns of the settlement details report, in Adyen's order. */
export const COLUMNS = [
  'Company Account',
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Payment Method',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Exchange Rate',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Markup (NC)',
  'Scheme Fees (NC)',
  'Interchange (NC)',
  'Payment Method Variant',
  'Modification Merchant Reference',
  'Batch Number',
] as const;

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>;

/** A batch of the settlement. */
export type Batch = {
  /** Converts to another currency with as many decimals: the net is `gross * rate / 10_000`, rounded down. */
  readonly exchange?: { readonly currency: string; readonly rate: number };
  /** The fees of each settled capture in minor units of the net currency. The default is a commission of 10. */
  readonly fees?: Fees;
  /** The part of each capture that the batch settles as an instalment. The next batches settle the rest. In minor units. */
  readonly instalment?: number;
  /** The words for the types of movements, such as `SettledBulk` for `Settled`. */
  readonly types?: Partial<Record<Entry['type'], string>>;
  /** Lines between the movements and the payouts that are hard to read. */
  readonly oddities?: readonly Oddity[];
};

/**
 * A line that is hard to read.
 *
 * - `new_type`: of a type that no documentation names. 1.00 leaves the balance.
 * - `amount`: an amount with three decimals.
 * - `short`: fewer fields than the header has.
 * - `quote`: a quote without its end.
 */
export type Oddity = 'new_type' | 'amount' | 'short' | 'quote';

export type Fees = {
  readonly commission?: number;
  readonly markup?: number;
  readonly schemeFees?: number;
  readonly interchange?: number;
};

export type Report = {
  readonly name: string;
  readonly url: string;
  readonly csv: string;
  readonly batch: number;
};

/** Settles what was booked since the last batch, in a report with one row for each movement. */
export function closeBatch(state: State, batch: Batch): Report {
  const { merchantAccount, reportsUrl, now } = state.settings;
  state.batches += 1;
  const number = state.batches;
  const entries = state.entries.splice(0);
  const lines = entries.map((entry) => lineOf(nextPart(state, entry, batch), batch));
  const whole = (row: Row): string =>
    textOf({
      'Company Account': 'TestCompany',
      'Merchant Account': merchantAccount,
      'Creation Date': dateOf(now()),
      TimeZone: 'UTC',
      ...row,
      'Batch Number': String(number),
    });
  const oddities = (batch.oddities ?? []).map((oddity) => oddityOf(oddity, whole));
  const rows = [
    ...lines.map(({ row }) => whole(row)),
    ...oddities.map(({ text }) => text),
    ...payouts([...lines, ...oddities]).map(whole),
  ];
  const name = `settlement_detail_report_batch_${number}.csv`;
  const url = `${reportsUrl}/reports/download/MerchantAccount/${merchantAccount}/${name}`;
  const csv = `${[COLUMNS.join(','), ...rows].join('\n')}\n`;
  state.reports.set(new URL(url).pathname, csv);
  return { name, url, csv, batch: number };
}

/** Returns the instalment of a capture that the batch settles, and keeps the rest for the next batch. */
function nextPart(state: State, entry: Entry, { instalment }: Batch): Entry {
  const { type, amount } = entry;
  if (instalment === undefined || type !== 'Settled' || amount.value <= instalment) return entry;
  state.entries.push({ ...entry, amount: { ...amount, value: amount.value - instalment } });
  return { ...entry, amount: { ...amount, value: instalment } };
}

const textOf = (row: Row): string => COLUMNS.map((column) => quote(row[column] ?? '')).join(',');

const quote = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** Writes a moment without the time zone, which has a column of its own. */
const dateOf = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

const CREDITS: ReadonlySet<Entry['type']> = new Set(['Settled', 'RefundedReversed', 'ChargebackReversed']);

/** A row, and the money that it adds to the payout. */
type Line = { readonly row: Row } & Moved;
type Moved = { readonly net: Amount };

/** Writes an oddity as the text of a line. Only the new type moves money. */
function oddityOf(oddity: Oddity, whole: (row: Row) => string): { readonly text: string } & Moved {
  const row = { 'Gross Currency': 'EUR', 'Net Currency': 'EUR' };
  const settled = { ...row, Type: 'Settled', 'Gross Credit (GC)': '1.00', 'Net Credit (NC)': '0.995' };
  const texts = {
    new_type: whole({ ...row, Type: 'QuantumCorrection', 'Net Debit (NC)': '1.00' }),
    amount: whole(settled),
    short: 'TestCompany,TestMerchant',
    quote: 'TestCompany,"TestMerchant',
  };
  return { text: texts[oddity], net: { value: oddity === 'new_type' ? -100 : 0, currency: 'EUR' } };
}

function lineOf(
  { type, payment, modification, amount, at }: Entry,
  { exchange, fees, types, instalment }: Batch,
): Line {
  const isPart = instalment !== undefined && type === 'Settled';
  const isCredit = CREDITS.has(type);
  const {
    commission = 0,
    markup = 0,
    schemeFees = 0,
    interchange = 0,
  } = type === 'Settled' ? (fees ?? { commission: 10 }) : {};
  const currency = exchange?.currency ?? amount.currency;
  const value = exchange ? Math.floor((amount.value * exchange.rate) / 10_000) : amount.value;
  const net = (isCredit ? value : -value) - commission - markup - schemeFees - interchange;
  const money = (minor: number): string => decimal({ value: minor, currency });
  const fee = (minor: number): string => (minor === 0 ? '' : money(minor));
  const row: Row = {
    'Psp Reference': payment.pspReference,
    'Merchant Reference': payment.reference,
    'Payment Method': payment.method,
    'Payment Method Variant': payment.method,
    'Creation Date': dateOf(at),
    Type: types?.[type] ?? (isPart ? 'SettledInstallment' : type),
    'Modification Reference': modification.pspReference,
    'Modification Merchant Reference': modification.reference,
    'Gross Currency': amount.currency,
    [isCredit ? 'Gross Credit (GC)' : 'Gross Debit (GC)']: decimal(amount),
    'Exchange Rate': exchange ? String(exchange.rate / 10_000) : '1',
    'Net Currency': currency,
    [net < 0 ? 'Net Debit (NC)' : 'Net Credit (NC)']: money(Math.abs(net)),
    'Commission (NC)': fee(commission),
    'Markup (NC)': fee(markup),
    'Scheme Fees (NC)': fee(schemeFees),
    'Interchange (NC)': fee(interchange),
  };
  return { row, net: { value: net, currency } };
}

/** Pays out the sum of each currency. */
function payouts(lines: readonly Moved[]): readonly Row[] {
  const sums = new Map<string, number>();
  for (const { net } of lines) sums.set(net.currency, (sums.get(net.currency) ?? 0) + net.value);
  return [...sums].map(([currency, value]) => ({
    Type: 'MerchantPayout',
    'Modification Reference': `TX${currency}, payout`,
    'Net Currency': currency,
    // The payout leaves the batch, so a positive sum is a debit.
    [value < 0 ? 'Net Credit (NC)' : 'Net Debit (NC)']: decimal({ value: Math.abs(value), currency }),
  }));
}

/** Currencies without two decimals at Adyen, which leaves ISO 4217 for some of them. */
const DECIMALS = new Map<string, number>([
  ...'BIF CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/** Writes minor units as a decimal number, from the integer alone. */
function decimal({ value, currency }: Amount): string {
  const places = DECIMALS.get(currency) ?? 2;
  if (places === 0) return String(value);
  const digits = String(value).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
