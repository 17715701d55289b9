import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';
import type { FakeProvider } from './fake-provider.ts';

/** The requests to a provider and their effects. */
export type Books = Pick<FakeProvider, 'calls' | 'books'>;

/** One payment in a provider's books, in minor units that really moved. */
export type Account = {
  readonly authorized: number;
  readonly captured: number;
  readonly refunded: number;
  /** The number of releases. */
  readonly voids: number;
};

export const EMPTY_ACCOUNT: Account = { authorized: 0, captured: 0, refunded: 0, voids: 0 };

/** The payments with an approval by a provider, by the provider's ids. */
export function readAccounts(provider: Books): ReadonlyMap<string, Account> {
  const requests = firstRequests(provider);
  const accounts = new Map<string, Account>();
  for (const [key, reply] of provider.books) {
    const request = requests.get(key);
    if (!request || reply.result !== 'approved') continue;
    const id = request.operation === 'authorize' ? reply.id : (request.payment_id ?? '');
    accounts.set(id, enter(accounts.get(id) ?? EMPTY_ACCOUNT, request, reply));
  }
  return accounts;
}

/** The first effective request of each key. */
export function firstRequests({ calls }: Books): ReadonlyMap<string, SimulatorRequest> {
  const first = new Map<string, SimulatorRequest>();
  for (const call of calls) {
    if (call.operation !== 'status' && !first.has(call.idempotency_key))
      first.set(call.idempotency_key, call);
  }
  return first;
}

function enter(
  account: Account,
  { operation, capture }: SimulatorRequest,
  { amount }: SimulatorReply,
): Account {
  const { authorized, captured, refunded, voids } = account;
  switch (operation) {
    case 'authorize':
      return { ...account, authorized: authorized + amount, captured: captured + (capture ? amount : 0) };
    case 'increase':
      return { ...account, authorized: authorized + amount };
    case 'capture':
      return { ...account, captured: captured + amount };
    case 'refund':
      return { ...account, refunded: refunded + amount };
    case 'void':
      return { ...account, voids: voids + 1 };
    default:
      return account;
  }
}

/** Returns the violations of the money invariants in a payment's books, as sentences. */
export function judgeAccounts(accounts: ReadonlyMap<string, Account>): readonly string[] {
  return [...accounts].flatMap(([id, { authorized, captured, refunded, voids }]) => [
    ...(captured > authorized ? [`books: payment ${id} is captured ${captured} of ${authorized}`] : []),
    ...(refunded > captured ? [`books: payment ${id} is refunded ${refunded} of ${captured}`] : []),
    ...(voids > 0 && captured > 0 ? [`books: payment ${id} is voided and captured`] : []),
    ...(voids > 1 ? [`books: payment ${id} is voided ${voids} times`] : []),
  ]);
}
