import type { Clock } from '../clock.ts';
import { oncePer } from '../database/once-per.ts';
import type { Db } from '../database/db.ts';
import { prepareFile } from '../database/statement.ts';

/** A merchant account that this cell does not serve. */
export type Away = {
  readonly account: string;
  readonly state: 'left' | 'forgotten' | 'arriving';
  /** The name of the other cell. */
  readonly cell: string | null;
};

/** Thrown for work on an account that this cell does not serve. Nothing was changed. */
export class AccountAwayError extends Error {
  readonly away: Away;
  constructor(away: Away) {
    super('The merchant account is in another cell.');
    this.away = away;
  }
}

type Reader = { readonly db: Db; readonly clock: Clock };

/** Returns where an account is, if not here. The answer is at most as old as `KNOWN_AFTER_MS`. */
export const awayOf = async (app: Reader, account: string): Promise<Away | null> =>
  (await known(app)).get(account) ?? null;

/** Throws an AccountAwayError if this cell does not serve the account. */
export async function requireHere(app: Reader, account: string): Promise<void> {
  const away = await awayOf(app, account);
  if (away) throw new AccountAwayError(away);
}

/** Each process knows a change of a move after this time. The move itself waits longer before the next step. */
export const KNOWN_AFTER_MS = 2_000;

type Moves = ReadonlyMap<string, Away>;

const cacheOf = oncePer((): { latest: { readonly readAtMs: number; readonly moves: Moves } | null } => ({
  latest: null,
}));

async function known({ db, clock }: Reader): Promise<Moves> {
  const cache = cacheOf(db);
  const nowMs = clock.now().getTime();
  // After the clock is set back, an old answer must not look fresh.
  if (cache.latest && Math.abs(nowMs - cache.latest.readAtMs) < KNOWN_AFTER_MS) return cache.latest.moves;
  // Each caller reads for itself, so that none waits for a caller that was stopped.
  const moves = await read(db);
  if (!cache.latest || cache.latest.readAtMs <= nowMs) cache.latest = { readAtMs: nowMs, moves };
  return moves;
}

const read = async (db: Db): Promise<Moves> =>
  new Map((await db.query<Away>(statement({}))).map((away) => [away.account, away]));

const statement = prepareFile(import.meta, 'accounts-away.sql');
