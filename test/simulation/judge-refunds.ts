import type { Evidence, Violation } from './judge.ts';
import type { AllocationRow, OperationRow } from './state.ts';

/**
 * Checks the captures of each refund of a payment method. The parts sum up to the refund, and the provider got the same
 * parts. The refunds of a capture are together at most its amount. A refused refund does not count.
 */
export function judgeRefunds({ state, books }: Evidence): Violation[] {
  const refunds = state.operations.filter((row) => row.kind === 'refund' && row.redemption_id === null);
  // The captures may not carry what a hand refunded.
  const requested = refunds.filter(({ origin }) => origin === 'requested');
  const byId = new Map(state.operations.map((row) => [row.id, row]));
  const refunded = new Map<string, number>();
  for (const [capture, amount] of refunds.flatMap(keptParts))
    refunded.set(capture, (refunded.get(capture) ?? 0) + amount);
  const sent = new Map(books.entries.map(({ key, request }) => [key, request.captures ?? []]));
  const broken = [
    ...requested.map(({ id, amount, refund_captures: parts }) => {
      const sum = (parts ?? []).reduce((total, part) => total + part.amount, 0);
      return sum !== amount && `refund ${id} of ${amount} has captures of ${sum}`;
    }),
    ...requested.map(({ id, refund_captures: parts }) => {
      const got = sent.get(id);
      return (
        got && words(got.map(toPart)) !== words(parts ?? []) && `refund ${id} was sent with other captures`
      );
    }),
    ...[...refunded].map(([capture, amount]) => {
      const most = byId.get(capture)?.amount ?? 0;
      return amount > most && `capture ${capture} of ${most} carries refunds of ${amount}`;
    }),
  ];
  return broken.flatMap((message) => (message ? [{ kind: 'money' as const, message }] : []));
}

/** Lists the parts that a refund keeps: none when refused, and the first ones after a reversal. */
function keptParts({
  status,
  amount,
  reversed_amount,
  refund_captures: parts,
}: OperationRow): [string, number][] {
  let kept = status === 'pending' || status === 'succeeded' ? amount - reversed_amount : 0;
  return (parts ?? []).map((part) => {
    const own = Math.min(part.amount, kept);
    kept -= own;
    return [part.operationId, own];
  });
}

type Sent = { readonly idempotency_key: string; readonly capture_id: string; readonly amount: number };
type Named = Omit<AllocationRow, 'operationId'>;

const toPart = ({ idempotency_key: key, capture_id: reference, amount }: Sent): Named => ({
  ...{ key, reference, amount },
});

const words = (parts: readonly Named[]): string =>
  parts.map(({ key, reference, amount }) => `${key} ${reference} ${amount}`).join();
