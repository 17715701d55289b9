import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ReviewNotice } from '../connector.ts';

// What can be posted by hand to end a review in the sandbox (facts 5.5): beside the versions of the interface, and in none.

const review = z.object({
  transaction_id: z.uuid().transform((key) => key.toLowerCase()),
  decision: z.enum(['accept', 'reject']),
});

/** What was posted by hand in our words; null when that is no decision. It names no event: said again, it is the same one. */
export function reviewFromSimulator(given: unknown): ReviewNotice | null {
  const parsed = review.safeParse(given);
  if (!parsed.success) return null;
  return {
    eventKey: `sha256:${createHash('sha256').update(JSON.stringify(parsed.data)).digest('base64url')}`,
    interfaceVersion: 'simulator',
    key: parsed.data.transaction_id,
    reference: null,
    decision: parsed.data.decision,
    comment: null,
    occurredAt: null,
  };
}
