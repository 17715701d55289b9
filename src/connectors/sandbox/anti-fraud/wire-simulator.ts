import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ReviewNotice } from '../../door.ts';

// A body that a person can post to end a review in the sandbox. The body belongs to no version of the
// interface.

const review = z.object({
  transaction_id: z.uuid().transform((key) => key.toLowerCase()),
  decision: z.enum(['accept', 'reject']),
});

/**
 * Maps a posted decision to our notice. Returns null if the body is no decision. The body names no event, so a
 * repeat is the same event.
 */
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
