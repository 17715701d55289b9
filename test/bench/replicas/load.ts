import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { authorization, DOCUMENTS, payloadOf } from '../../support/payments.ts';
import { openConnection, type Connection } from '../connection.ts';
import { nowMs } from '../child.ts';

/** Clients of one merchant account. Each reads, and knows the position of its own last payment. */
export const CLIENTS = 16;

/** The payments a second of all clients together. */
export const PAYMENTS_PER_SECOND = 20;

/** The position that a read names: any state, that of the client's last payment, or none. */
export type Position = 'any' | 'own' | 'none';

export type Load = {
  readonly url: string;
  /** The token of the account that is read, and that of the account that pays. */
  readonly reader: string;
  readonly payer: string;
};

export type Reads = {
  readonly ms: number;
  /** The requests, which each client sends in turn. */
  readonly bodies: readonly string[];
  readonly position: Position;
};

/** The milliseconds of each read, and the number of payments. */
export type Done = { readonly durations: readonly number[]; readonly payments: number };

/** Pays steadily for so long, while each client reads again and again. A server closes connections that were idle before. */
export async function payAndRead(load: Load, { ms, bodies, position }: Reads): Promise<Done> {
  const open = (token: string): Promise<Connection[]> =>
    Promise.all(Array.from({ length: CLIENTS }, () => openConnection(load.url, token)));
  const [readers, payers] = await Promise.all([open(load.reader), open(load.payer)]);
  const last = payers.map((): string | null => null);
  const until = nowMs() + ms;
  const lanes = readers.map(async (connection, nth) => {
    const durations: number[] = [];
    for (let turn = nth; nowMs() < until; turn += 1) {
      const from = nowMs();
      const named = { any: '0', own: last[nth] ?? null, none: null }[position];
      await connection.askAt(bodies[turn % bodies.length] ?? '', named);
      durations.push(nowMs() - from);
    }
    return durations;
  });
  const [durations, payments] = await Promise.all([Promise.all(lanes), paySteadily(payers, last, ms)]);
  [...readers, ...payers].forEach((connection) => connection.close());
  return { durations: durations.flat(), payments };
}

/**
 * Begins a payment of the next client at each turn, and returns the number of payments. A client that still waits for its last
 * payment is passed over.
 */
async function paySteadily(
  payers: readonly Connection[],
  last: (string | null)[],
  ms: number,
): Promise<number> {
  const [from, busy] = [nowMs(), new Map<number, Promise<void>>()];
  let payments = 0;
  for (let turn = 0; nowMs() - from < ms; turn += 1) {
    const nth = turn % CLIENTS;
    const payer = payers[nth];
    if (payer && !busy.has(nth)) {
      payments += 1;
      const paying = pay(payer).then((position) => void (last[nth] = position));
      busy.set(
        nth,
        paying.finally(() => busy.delete(nth)),
      );
    }
    await delay(Math.max(0, from + ((turn + 1) * 1_000) / PAYMENTS_PER_SECOND - nowMs()));
  }
  await Promise.all(busy.values());
  return payments;
}

/** Authorises a payment, and returns its position. */
async function pay(payer: Connection): Promise<string | null> {
  const { variables } = authorization(1_299, null);
  const given = { query: DOCUMENTS.authorize, variables: { ...variables, key: randomUUID() } };
  const { body, position } = await payer.askAt(JSON.stringify(given), null);
  if (payloadOf(body)?.transaction?.status !== 'AUTHORIZATION_SUCCEEDED')
    throw new Error(`A payment did not succeed: ${body}`);
  return position;
}
