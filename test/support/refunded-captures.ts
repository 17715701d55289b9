import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';

/** The captured amounts and the refunds of a provider, by the keys of the requests. */
export type CaptureBooks = {
  /** The first request of each key. */
  readonly requests: ReadonlyMap<string, SimulatorRequest>;
  readonly replies: ReadonlyMap<string, Pick<SimulatorReply, 'result'>>;
  /** The captures from before the books. */
  readonly earlier: ReadonlyMap<string, number>;
  /** The parts of refunds that came back to the merchant. */
  readonly reversed: ReadonlyMap<string, number>;
};

/**
 * Says what is wrong with the captures of a refund: an unknown capture, or more than its amount. Null when the captures
 * carry the refund. Refused refunds do not count, and of a reversed refund only its first captures.
 */
export function overdrawn(books: CaptureBooks, refund: SimulatorRequest): string | null {
  for (const { idempotency_key: capture, amount } of refund.captures ?? []) {
    const before = refundsOf(books, capture, refund.idempotency_key);
    const captured = capturedBy(books, capture);
    if (before + amount > captured) return `${capture} is refunded ${before} + ${amount} of ${captured}`;
  }
  return null;
}

function capturedBy({ requests, replies, earlier }: CaptureBooks, key: string): number {
  const request = requests.get(key);
  const isCapture = request?.operation === 'capture' || request?.capture === true;
  if (request && isCapture && replies.get(key)?.result === 'approved') return request.amount;
  return earlier.get(key) ?? 0;
}

/** Sums up the parts of other refunds that are of a capture. */
function refundsOf({ requests, replies, reversed }: CaptureBooks, capture: string, except: string): number {
  let sum = 0;
  for (const [key, { operation, amount, captures = [] }] of requests) {
    const result = replies.get(key)?.result;
    if (operation !== 'refund' || key === except || (result !== 'approved' && result !== 'pending')) continue;
    let kept = Math.max(amount - (reversed.get(key) ?? 0), 0);
    for (const part of captures) {
      if (part.idempotency_key === capture) sum += Math.min(part.amount, kept);
      kept = Math.max(kept - part.amount, 0);
    }
  }
  return sum;
}
