import { isDay } from '../../kernel/day.ts';
import type { Money } from '../../kernel/money.ts';
import { digestOf, storableKey, withoutCardNumbers } from './notice-words.ts';
import {
  SETTLEMENT_KINDS,
  type SettlementEntry,
  type SettlementPage,
  type UnreadableEntry,
} from '../notices/settlements.ts';
import { isStorable } from './words.ts';

/** The most entries of a page. They are stored in one database transaction. */
export const SETTLEMENT_PAGE_MAX = 500;

const CURSOR_MAX = 4_000;

/** A page to store, and the names of the fields that could not be read. Each unreadable entry has one. */
export type ReadPage = { readonly page: SettlementPage; readonly fields: readonly string[] };

/**
 * Reads a page for the store.
 *
 * - An entry that cannot be read or stored becomes an entry of the kind `unreadable`, of the day of `now`. The others stay.
 * - Returns the fault of a page that cannot be stored at all. The fault names a field and holds no value.
 * - Several entries without a readable one are a fault of the page, whose form must be new.
 * - `before`: the cursor that led to the page.
 */
export function readPage(given: SettlementPage, before: string | null, now: Date): ReadPage | string {
  const { entries, unreadable = [], cursor, more } = given;
  const fault = faultOf(given, before);
  if (fault !== null) return fault;
  const judged = entries.map((entry) => ({ entry, field: fieldAtFault(entry) }));
  const readable = judged.flatMap(({ entry, field }) => (field === null ? [tidy(entry)] : []));
  const lost: readonly UnreadableEntry[] = [
    ...unreadable,
    ...judged.flatMap(({ entry, field }) => (field === null ? [] : [lostOf(entry, field)])),
  ];
  if (readable.length === 0 && lost.length > 1) return `no entry can be read: ${lost[0]?.field}`;
  const day = now.toISOString().slice(0, 10);
  return {
    page: { kind: 'page', entries: [...readable, ...lost.map((each) => unreadOf(each, day))], cursor, more },
    fields: lost.map(({ field }) => field),
  };
}

/** The mistakes that a schema finds. The first place is that of the first mistake. */
type SchemaError = { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };

/** Names an entry that a schema refuses, and its first field at fault. `id`: the entry's id, if any. */
export const unreadable = (id: unknown, entry: unknown, error: SchemaError): UnreadableEntry => ({
  reference: referenceOfUnread(id, entry),
  field: error.issues[0]?.path.join('.') ?? '',
});

/** Returns an id for an entry whose own id cannot be read. The same entry always has the same one. */
export const referenceOfUnread = (id: unknown, entry: unknown): string =>
  typeof id === 'string' && id !== '' ? id : digestOf(JSON.stringify(entry));

function faultOf(
  { entries, unreadable, cursor, more }: SettlementPage,
  before: string | null,
): string | null {
  if (entries.length + (unreadable?.length ?? 0) > SETTLEMENT_PAGE_MAX) return 'too many entries';
  if (cursor.length < 1 || cursor.length > CURSOR_MAX || !isClean(cursor)) return 'cursor';
  return more && cursor === before ? 'the cursor does not move' : null;
}

const lostOf = (entry: SettlementEntry, field: string): UnreadableEntry => ({
  reference: referenceOfUnread(entry.reference, entry),
  line: isLine(entry.line) ? (entry.line ?? null) : null,
  payoutReference: isReference(entry.payoutReference) ? entry.payoutReference : null,
  field,
});

const fieldAtFault = (entry: SettlementEntry): string | null =>
  CHECKS.find(([, holds]) => !holds(entry))?.[0] ?? null;

/** Returns an entry whose words can be shown. An id that holds a card number becomes a digest. */
const tidy = (entry: SettlementEntry): SettlementEntry => ({
  ...entry,
  reference: storableKey(entry.reference),
  ...(entry.providerKind != null && { providerKind: wordOrNull(entry.providerKind) }),
});

const wordOrNull = (word: string): string | null =>
  word !== '' && isStorable(word) && withoutCardNumbers(word) === word ? word : null;

/** The code of ISO 4217 for no currency. */
const NO_CURRENCY = 'XXX';

/** Returns the entry that stands for one that cannot be read. It changes no sum. */
const unreadOf = (
  { reference, line, payoutReference }: UnreadableEntry,
  settledOn: string,
): SettlementEntry => ({
  ...{ reference: storableKey(reference), line: line ?? null, kind: 'unreadable', key: null },
  ...{ operationReference: null, paymentReference: null, disputeReference: null },
  payoutReference: payoutReference ?? null,
  ...{ gross: 0, fee: 0, net: 0, currency: NO_CURRENCY, original: null, exchangeRate: null, settledOn },
});

type Check = readonly [field: string, holds: (entry: SettlementEntry) => boolean];

const CHECKS: readonly Check[] = [
  ['reference', ({ reference }) => reference.length > 0 && isStorable(reference)],
  ['kind', ({ kind }) => SETTLEMENT_KINDS.includes(kind) && kind !== 'unreadable'],
  ['line', ({ line }) => isLine(line)],
  ['key', ({ key }) => isReference(key)],
  ['operationReference', ({ operationReference }) => isReference(operationReference)],
  ['paymentReference', ({ paymentReference }) => isReference(paymentReference)],
  ['disputeReference', ({ disputeReference }) => isReference(disputeReference)],
  ['payoutReference', ({ payoutReference }) => isReference(payoutReference)],
  ['captureReference', ({ captureReference }) => isReference(captureReference ?? null)],
  ['isPart', ({ isPart, kind }) => !isPart || kind === 'charge' || kind === 'refund'],
  ['capturedTotal', ({ capturedTotal }) => capturedTotal == null || isUnits(capturedTotal)],
  ['gross', ({ gross }) => Number.isSafeInteger(gross)],
  ['fee', ({ fee }) => Number.isSafeInteger(fee)],
  ['net', ({ gross, fee, net }) => Number.isSafeInteger(net) && gross - fee === net],
  ['currency', ({ currency }) => isCurrency(currency)],
  ['original', ({ original }) => original === null || isOriginal(original)],
  ['exchangeRate', ({ exchangeRate }) => exchangeRate === null || RATE.test(exchangeRate)],
  ['settledOn', ({ settledOn }) => isDay(settledOn)],
  ['sign', hasItsSign],
];

const isLine = (line: number | null | undefined): boolean =>
  line == null || (Number.isSafeInteger(line) && line >= 1 && line <= LINE_MAX);

/** The greatest number of the column in the database. */
const LINE_MAX = 2_147_483_647;

const isClean = (text: string): boolean => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text);

const isReference = (text: string | null): boolean => text === null || (text.length > 0 && isStorable(text));

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

const isOriginal = ({ amount, currency }: Money): boolean => isUnits(amount) && isCurrency(currency);

const isUnits = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0;

const RATE = /^\d{1,12}(\.\d{1,18})?$/;

/** True if the money moves in the direction of the kind. The other kinds go either way. */
function hasItsSign({ kind, gross }: SettlementEntry): boolean {
  if (kind === 'charge' || kind === 'chargeback_reversal') return gross >= 0;
  return kind === 'refund' || kind === 'chargeback' ? gross <= 0 : true;
}
