import { z } from 'zod';
import {
  DISPUTE_REASONS,
  DISPUTE_STAGES,
  DISPUTE_STATUSES,
  AMOUNT_MAX,
  type DisputeReport,
} from '../door.ts';

/** The events of the sandbox about a dispute. The fields of a dispute tell what happened. */
export const DISPUTE_EVENT = /^dispute\.(created|updated|closed)$/;

/** The fields of a webhook about a dispute, beside the ids of the payment. */
const dispute = z.object({
  dispute_reference: z.string().min(1).max(255),
  stage: z.enum(DISPUTE_STAGES),
  status: z.enum(DISPUTE_STATUSES),
  reason: z.enum(DISPUTE_REASONS).default('general'),
  reason_code: z.string().max(100).nullable().default(null),
  amount: z.int().min(1).max(AMOUNT_MAX),
  currency: z.string().regex(/^[A-Z]{3}$/),
  respond_by: z.iso.datetime({ offset: true }).nullable().default(null),
});

/** Reads the dispute of a webhook's body. Null for a body that lacks a field or has an unknown word. */
export function readSandboxDispute(body: unknown): DisputeReport | null {
  const parsed = dispute.safeParse(body);
  if (!parsed.success) return null;
  const { dispute_reference, reason_code, amount, currency, respond_by, ...words } = parsed.data;
  return {
    ...words,
    disputeReference: dispute_reference,
    reasonCode: reason_code,
    money: { amount, currency },
    respondBy: respond_by === null ? null : new Date(respond_by),
  };
}
