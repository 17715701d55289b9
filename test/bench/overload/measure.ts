import { query } from '../../support/database.ts';
import type { ServerProcess } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { createPayingAccount } from '../accounts.ts';
import { nowMs, startChild, type Child } from '../child.ts';
import { median } from '../statistics.ts';
import type { Answers, Apart, Caller, Calls } from './callers.ts';
import { COUNT_WAITING } from '../../support/waiting-events.ts';

/** The merchant accounts that want more together than the process can do. */
export const ACCOUNTS = 20;

/** The wanted work as a multiple of the capacity. */
export const TIMES = 3;

export type Overload = {
  /** Payments a second that the accounts get done when each has two under way. */
  readonly capacity: number;
  /** Payments a second that were authorised during the overload. */
  readonly goodput: number;
  /** The payments a second of the account with the fewest. */
  readonly fewest: number;
  /** The requests a second that were refused. */
  readonly refused: number;
  /** Any other answers. */
  readonly others: readonly string[];
  /** The milliseconds of the payments that were authorised. */
  readonly durations: readonly number[];
  /** The authorised payments of the callers less those of the database with an event in the feed. */
  readonly lost: number;
  /** The milliseconds of a payment alone, before the overload. */
  readonly aloneMs: number;
  /** The seconds from the overload's end until a payment takes at most twice as long as alone, plus 10 ms. */
  readonly recoverySeconds: number;
};

export type OverloadSettings = {
  readonly server: ServerProcess;
  readonly databaseUrl: string;
  /** The time of the measurement of the capacity, and of the overload. */
  readonly capacityMs: number;
  readonly overloadMs: number;
};

/** Measures what 20 merchant accounts get done that want three times the capacity, and how soon the process recovers. */
export async function measureOverload(settings: OverloadSettings): Promise<Overload> {
  const { server, databaseUrl, capacityMs, overloadMs } = settings;
  const { url } = server;
  const tokens: string[] = [];
  for (let nth = 1; nth <= ACCOUNTS; nth += 1)
    tokens.push((await createPayingAccount(server, `shop-${nth}`)).token);
  const callers = startChild('overload/callers.ts');
  const all = tokens.map((token) => ({ token, perSecond: 0 }));
  const together = (calls: Pick<Calls, 'callers' | 'ms'>, atOnce: number): Promise<readonly Answers[]> =>
    callers.ask('together', { url, ...calls, atOnce });
  await together({ callers: all, ms: WARM_UP_MS }, 2);
  const whole = await together({ callers: all, ms: capacityMs }, 2);
  const capacity = sum(whole.map(({ accepted }) => accepted)) / (capacityMs / 1_000);
  const alone = await together({ callers: all.slice(0, 1), ms: ALONE_MS }, 1);
  const aloneMs = median(alone[0]?.durations ?? []);
  const before = await countPayments(databaseUrl);

  const wishes = wishesOf(tokens, TIMES * capacity);
  const { answers, ms } = await callers.ask<Apart>('apart', { url, callers: wishes, ms: overloadMs });
  const recovery = await recover(callers, { url, token: tokens[1] ?? '' }, 2 * aloneMs + 10);
  const accepted = answers.map((each) => each.accepted);
  await callers.end();
  const stored = (await countPayments(databaseUrl)) - before - recovery.payments;
  const perSecond = (count: number): number => count / (ms / 1_000);
  return {
    capacity,
    goodput: perSecond(sum(accepted)),
    fewest: perSecond(Math.min(...accepted)),
    refused: perSecond(sum(answers.map((each) => each.refused))),
    others: answers.flatMap((each) => each.others),
    durations: answers.flatMap((each) => each.durations),
    lost: Math.abs(stored - sum(accepted)),
    aloneMs,
    recoverySeconds: recovery.seconds,
  };
}

const WARM_UP_MS = 2_000;
const ALONE_MS = 2_000;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Lets the first account want as much as the process can do, and the others the rest in equal parts. */
const wishesOf = (tokens: readonly string[], perSecond: number): readonly Caller[] =>
  tokens.map((token, nth) => ({
    token,
    perSecond: nth === 0 ? perSecond / TIMES : (perSecond * (1 - 1 / TIMES)) / (tokens.length - 1),
  }));

/** Counts the authorised payments whose event has its place in the feed. */
async function countPayments(databaseUrl: string): Promise<number> {
  await until(async () => {
    const [row] = await query<{ waiting: number }>(databaseUrl, COUNT_WAITING);
    return row?.waiting === 0;
  }, 'the relay');
  const [row] = await query<{ payments: number }>(databaseUrl, PAYMENTS);
  return row?.payments ?? 0;
}

const PAYMENTS = `SELECT count(*)::int AS payments FROM transaction t
  JOIN event e ON e.merchant_account_id = t.merchant_account_id AND e.target_id = t.id::text
    AND e.name = 'transaction.authorized'
  JOIN feed_entry f ON f.position = e.position WHERE t.status = 'authorization_succeeded'`;

/** Pays in pieces until a piece is quick. All answers of the overload have arrived before. */
async function recover(
  callers: Child,
  { url, token }: { readonly url: string; readonly token: string },
  quickMs: number,
): Promise<{ readonly seconds: number; readonly payments: number }> {
  const from = nowMs();
  let payments = 0;
  for (;;) {
    const [answers] = await callers.ask<readonly Answers[]>('together', {
      ...{ url, callers: [{ token, perSecond: 0 }], ms: PIECE_MS, atOnce: 1 },
    });
    payments += answers?.accepted ?? 0;
    const seconds = (nowMs() - from) / 1_000;
    if (answers && answers.accepted > 0 && median(answers.durations) <= quickMs) return { seconds, payments };
    if (seconds > GIVE_UP_SECONDS) throw new Error('The process does not recover from the overload.');
  }
}

const PIECE_MS = 250;
const GIVE_UP_SECONDS = 60;
