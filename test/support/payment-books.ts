import { randomUUID } from 'node:crypto';
import type { BooksAnswer, BooksQuestion } from '../../src/connectors/sandbox/read-books.ts';
import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';

/** The acts of a person at a fake provider, or of another program with the same account. Amounts are in minor units. */
export type FakeHand = {
  /** Captures a part, after which nothing more can be captured. */
  capture(payment: string, amount: number): void;
  /** Refunds a part. Returns the provider's id of the refund. */
  refund(payment: string, amount: number): string;
  void(payment: string): void;
};

type Kind = 'capture' | 'refund' | 'void';

/** A success at the provider. Our key is null for an act of a person. */
type Act = {
  readonly kind: Kind | 'authorize' | 'increase';
  readonly payment: string;
  readonly key: string | null;
  readonly id: string;
  readonly amount: number;
  readonly isSale: boolean;
};

type Kept = {
  readonly requests: ReadonlyMap<string, SimulatorRequest>;
  readonly replies: ReadonlyMap<string, SimulatorReply>;
};

/** The payments of a fake provider, as its requests and the hand of a person left them. */
export function openPaymentBooks({ requests, replies }: Kept, owe: (event: object) => void) {
  const made: Act[] = [];
  const act = (kind: Kind, payment: string, amount: number): string => {
    const id = randomUUID();
    const own: Act = { ...{ kind, payment, amount, id }, key: null, isSale: false };
    made.push(own);
    owe({ id: randomUUID(), ...eventOf(own, currencyOf(payment)) });
    return id;
  };
  const currencyOf = (payment: string): string =>
    [...replies.values()].find(({ id }) => id === payment)?.currency ?? '';
  const hand: FakeHand = {
    capture: (payment, amount) => void act('capture', payment, amount),
    refund: (payment, amount) => act('refund', payment, amount),
    void: (payment) => void act('void', payment, 0),
  };
  return {
    hand,
    /** Tells a payment whole, ours first. */
    tell: ({ payment_id: payment, currency }: BooksQuestion): BooksAnswer => {
      const acts = [...oursOf({ requests, replies }), ...made].filter((each) => each.payment === payment);
      if (acts.length === 0) return { result: 'not_found' };
      return {
        ...{ result: 'found', currency, ...sumsOf(acts) },
        events: acts.map((each) => eventOf(each, currency)),
      };
    },
  };
}

const KINDS: ReadonlySet<string> = new Set(['authorize', 'increase', 'capture', 'refund', 'void']);

const isBooked = (kind: string): kind is Act['kind'] => KINDS.has(kind);

const oursOf = ({ requests, replies }: Kept): readonly Act[] =>
  [...requests].flatMap(([key, { operation, payment_id: paid, capture, amount }]) => {
    const reply = replies.get(key);
    if (reply?.result !== 'approved' || !isBooked(operation)) return [];
    const payment = operation === 'authorize' ? reply.id : (paid ?? '');
    return [{ ...{ kind: operation, payment, key, id: reply.id, amount }, isSale: capture === true }];
  });

function sumsOf(acts: readonly Act[]) {
  const sumOf = (...kinds: readonly string[]): number =>
    acts.reduce((sum, { kind, amount }) => sum + (kinds.includes(kind) ? amount : 0), 0);
  const isCaptured = sumOf('capture') > 0 || acts.some(({ isSale }) => isSale);
  const isVoided = acts.some(({ kind }) => kind === 'void');
  const state = isCaptured ? 'closed' : 'open';
  return { authorized: sumOf('authorize', 'increase'), state: isVoided ? 'voided' : state } as const;
}

/** Returns the body of the webhook about an act. */
const eventOf = ({ kind, payment, key, id, amount }: Act, currency: string): object => ({
  event: `${kind === 'authorize' ? 'authorization' : kind}.succeeded`,
  ...{ payment_service_transaction_id: payment, payment_service_reference: id },
  ...(key !== null && { idempotency_key: key }),
  ...(kind !== 'void' && { amount, currency }),
  ...(kind === 'capture' && { final: true }),
});
