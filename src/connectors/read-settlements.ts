import { isDay } from '../kernel/day.ts';
import type { Money } from '../kernel/money.ts';
import { storableKey } from './notice-words.ts';
import { SETTLEMENT_KINDS, type SettlementEntry, type SettlementPage } from './settlements.ts';
import { isStorable } from './words.ts';

/** The most entries of a page. They are stored in one database transaction. */
export const SETTLEMENT_PAGE_MAX = 500;

const CURSOR_MAX = 4_000;

/**
 * Returns the fault of a page, or null if the page can be stored. The fault names a field and holds no value. `before` is the
 * cursor that led to the page.
 */
export function faultOf({ entries, cursor, more }: SettlementPage, before: string | null): string | null {
  if (entries.length > SETTLEMENT_PAGE_MAX) return 'too many entries';
  if (cursor.length < 1 || cursor.length > CURSOR_MAX || !isClean(cursor)) return 'cursor';
  if (more && cursor === before) return 'the cursor does not move';
  for (const [index, entry] of entries.entries()) {
    const fault = CHECKS.find(([, holds]) => !holds(entry));
    if (fault) return `entries.${index}.${fault[0]}`;
  }
  return null;
}

/** Returns the entries with ids that can be shown. An id that holds a card number becomes a digest. */
export const tidyEntries = (entries: readonly SettlementEntry[]): readonly SettlementEntry[] =>
  entries.map((entry) => ({ ...entry, reference: storableKey(entry.reference) }));

type Check = readonly [field: string, holds: (entry: SettlementEntry) => boolean];

const CHECKS: readonly Check[] = [
  ['reference', ({ reference }) => reference.length > 0 && isStorable(reference)],
  ['kind', ({ kind }) => SETTLEMENT_KINDS.includes(kind)],
  ['key', ({ key }) => isReference(key)],
  ['operationReference', ({ operationReference }) => isReference(operationReference)],
  ['paymentReference', ({ paymentReference }) => isReference(paymentReference)],
  ['disputeReference', ({ disputeReference }) => isReference(disputeReference)],
  ['payoutReference', ({ payoutReference }) => isReference(payoutReference)],
  ['gross', ({ gross }) => Number.isSafeInteger(gross)],
  ['fee', ({ fee }) => Number.isSafeInteger(fee)],
  ['net', ({ gross, fee, net }) => Number.isSafeInteger(net) && gross - fee === net],
  ['currency', ({ currency }) => isCurrency(currency)],
  ['original', ({ original }) => original === null || isOriginal(original)],
  ['exchangeRate', ({ exchangeRate }) => exchangeRate === null || RATE.test(exchangeRate)],
  ['settledOn', ({ settledOn }) => isDay(settledOn)],
  ['sign', hasItsSign],
];

const isClean = (text: string): boolean => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text);

const isReference = (text: string | null): boolean => text === null || (text.length > 0 && isStorable(text));

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

const isOriginal = ({ amount, currency }: Money): boolean =>
  Number.isSafeInteger(amount) && amount >= 0 && isCurrency(currency);

const RATE = /^\d{1,12}(\.\d{1,18})?$/;

/** True if the money moves in the direction of the kind. The other kinds go either way. */
function hasItsSign({ kind, gross }: SettlementEntry): boolean {
  if (kind === 'charge' || kind === 'chargeback_reversal') return gross >= 0;
  return kind === 'refund' || kind === 'chargeback' ? gross <= 0 : true;
}
