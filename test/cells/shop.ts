import { setTimeout as delay } from 'node:timers/promises';
import { openEventStream } from '../http/open-event-stream.ts';

/** The way of a shop to its account: through a proxy, with a header that names the account. */
export type Way = { readonly url: string; readonly token: string; readonly account: string };

/** An answer with its status. */
export type Asked<Data> = {
  readonly status: number;
  readonly body: {
    readonly data?: Data | null;
    readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  };
};

export const headersOf = ({ token, account }: Way): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  'x-service-merchant-account-id': account,
});

/** Sends an operation as a shop does. Its connection serves no other, because a proxy that reloads closes kept ones. */
export async function ask<Data>(way: Way, query: string, variables: object = {}): Promise<Asked<Data>> {
  const response = await fetch(`${way.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headersOf(way) },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, body: (await response.json()) as Asked<Data>['body'] };
}

/** A payment as its answers tell it. */
export type Paid = {
  readonly key: string;
  readonly id: string;
  readonly status: string;
  readonly replayed: boolean;
};

const PAY = `mutation ($key: String!) { createTransaction(idempotencyKey: $key, input: { amount: 1299, currency: "USD",
  country: "US", intent: CAPTURE, paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } } }) {
  replayed transaction { id status } userErrors { code message } } }`;

type Made = {
  readonly createTransaction: {
    readonly replayed: boolean;
    readonly transaction: { readonly id: string; readonly status: string } | null;
    readonly userErrors: readonly { readonly code: string; readonly message: string }[];
  };
};

/** Pays under a key. Null with the reason noted if the payment has no answer. */
export async function pay(way: Way, key: string, note: (refused: string) => void): Promise<Paid | null> {
  const asked = await ask<Made>(way, PAY, { key }).catch(() => null);
  if (!asked) {
    note('no answer');
    return null;
  }
  const { status, body } = asked;
  const made = body.data?.createTransaction;
  if (made?.transaction) return { key, replayed: made.replayed, ...made.transaction };
  const code = body.errors?.[0]?.extensions?.code ?? made?.userErrors[0]?.code;
  note(`${status} ${code}`);
  return null;
}

/** The pause of a client before the next try. A test is less patient than `Retry-After` asks. */
const RETRY_MS = 200;

/** Payments one after the other, each repeated under its key until it has an answer. */
export type Load = {
  readonly paid: readonly Paid[];
  /** The statuses and codes of the answers without a payment. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
};

/** Starts a shop that pays until it is stopped. */
export function startLoad(way: Way): Load {
  const paid: Paid[] = [];
  const refused: string[] = [];
  let isOver = false;
  const note = (reason: string): void => void refused.push(reason);
  const run = async (lane: number): Promise<void> => {
    for (let nth = 0; !isOver;) {
      const answer = await pay(way, `${way.account}-${lane}-${nth}`, note);
      if (answer) {
        paid.push(answer);
        nth += 1;
      } else await delay(RETRY_MS);
    }
  };
  const lanes = Promise.all([run(0), run(1)]);
  return {
    paid,
    refused,
    stop: async () => {
      isOver = true;
      await lanes;
    },
  };
}

/** An event as a consumer gets it. */
export type Seen = {
  readonly id: string;
  readonly sequence: number;
  readonly name: string;
  readonly cursor: string;
};

/** A consumer of the feed that goes on from its last cursor. */
export type Consumer = {
  readonly seen: readonly Seen[];
  readonly streams: () => number;
  stop(): Promise<void>;
};

const FOLLOW = (after: string): string =>
  `subscription { events(after: ${JSON.stringify(after)}) { id sequence name cursor } }`;

/** Starts a consumer that reads event streams, one after the end of the other. */
export function startConsumer(way: Way): Consumer {
  const seen: Seen[] = [];
  let streams = 0;
  let isOver = false;
  let close = (): void => undefined;
  const readOne = async (): Promise<void> => {
    const stream = await openEventStream(
      `${way.url}/graphql`,
      FOLLOW(seen.at(-1)?.cursor ?? 'BEGIN'),
      headersOf(way),
    );
    close = () => stream.close();
    if (stream.status !== 200) return;
    streams += 1;
    for (let event = await stream.next(); event !== null; event = await stream.next()) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1] ?? '';
      const found = data === '' ? null : (JSON.parse(data) as { data?: { events?: Seen } | null });
      if (found?.data?.events) seen.push(found.data.events);
    }
  };
  const run = async (): Promise<void> => {
    while (!isOver) {
      await readOne().catch(() => undefined);
      await delay(RETRY_MS);
    }
  };
  const running = run();
  return {
    seen,
    streams: () => streams,
    stop: async () => {
      isOver = true;
      close();
      await running;
    },
  };
}
