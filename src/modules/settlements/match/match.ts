import type { Tx } from '../../../platform/database/db.ts';
import type {
  Match,
  SettlementDifference,
  SettlementEntry,
  SettlementKind,
  SettlementService,
} from '../settlement.ts';
import { nameEntries, readBooks } from './books.sql.ts';
import { matchEntries } from './match-rules.ts';

/** Matches entries that have no booking yet. The caller holds the lock of the source, so no other does the same. */
export async function match(
  tx: Tx,
  service: SettlementService,
  entries: readonly SettlementEntry[],
): Promise<readonly Match[]> {
  if (entries.length === 0) return [];
  const named = await nameEntries(tx, service, entries);
  return matchEntries(named, await readBooks(tx, service, named));
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The first and the longest pause before a difference is matched again, and the age after which it is not. */
const FIRST_MS = 5 * MINUTE_MS;
const LONGEST_MS = DAY_MS;
const GIVE_UP_MS = 90 * DAY_MS;

/**
 * Returns the moment at which a difference is matched again: an operation may be decided late. The pause grows with the age of
 * the entry. Null for an entry that fits, after 90 days, and for a difference that no operation ends.
 */
export function nextMatchAt(
  now: Date,
  { difference }: Pick<Match, 'difference'>,
  createdAt: Date,
): Date | null {
  const ageMs = now.getTime() - createdAt.getTime();
  if (difference === null || LASTING.has(difference) || ageMs >= GIVE_UP_MS) return null;
  return new Date(now.getTime() + Math.min(Math.max(ageMs, FIRST_MS), LONGEST_MS));
}

/**
 * Returns the moment at which the payment of an entry is told about the entry. Null for an entry about no payment, and for a kind
 * that moves the money of no operation.
 */
export const tellAtOf = (
  now: Date,
  { kind }: Pick<SettlementEntry, 'kind'>,
  { transactionId }: Pick<Match, 'transactionId'>,
): Date | null => (TOLD.has(kind) && transactionId !== null ? now : null);

/** The kinds of entries that each belong to an operation. */
const TOLD: ReadonlySet<SettlementKind> = new Set(['charge', 'refund', 'reversal']);

/** The differences that no later operation ends. */
const LASTING: ReadonlySet<SettlementDifference> = new Set(['adjustment', 'unknown_kind', 'unreadable']);
