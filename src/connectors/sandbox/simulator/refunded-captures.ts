/** A capture with the part of a refund that is of this capture. A sale has its authorisation as the only capture. */
export type CaptureOnWire = {
  readonly idempotency_key: string;
  readonly capture_id: string;
  readonly amount: number;
};

/** The part of a request about its captures. */
type Allocated = {
  readonly operation: string;
  readonly amount: number;
  readonly captures?: readonly CaptureOnWire[];
};

/** The refusal of a refund that names no captures, or whose parts do not sum up to its amount. */
const MISALLOCATED = {
  result: 'error',
  code: 'invalid_amount',
  message: 'The captures do not sum up to the refund',
} as const;

/** Checks the captures of a refund. Null for a refund with the right sum, and for every other request. */
export function refuseCaptures({ operation, amount, captures = [] }: Allocated): typeof MISALLOCATED | null {
  if (operation !== 'refund') return null;
  const isSum = captures.reduce((sum, part) => sum + part.amount, 0) === amount;
  return isSum && captures.every((part) => part.amount >= 1) ? null : MISALLOCATED;
}
