import { z } from 'zod';
import type {
  AuthorizeRequest,
  CancelRequest,
  FollowUpRequest,
  LookupRequest,
  Outcome,
} from '../connector.ts';
import type { SimulatorRequest } from './simulator.ts';

/** Our authorisation in the provider's words. */
export const authorizationToWire = ({
  key,
  money,
  card,
  approvalPage,
  capture,
  postalCode,
  options,
}: AuthorizeRequest): SimulatorRequest => ({
  operation: 'authorize',
  idempotency_key: key,
  amount: money.amount,
  currency: money.currency,
  capture,
  ...(card && { card: { number: card.number, expiry: card.expirationDate, cvv: card.securityCode } }),
  ...(!card && approvalPage !== null && { approval_page: approvalPage }),
  postal_code: postalCode,
  ...(options && { options }),
});

/** Our capture, refund or void in the provider's words. */
export const followUpToWire = (
  operation: 'capture' | 'refund' | 'void',
  { key, money, reference }: FollowUpRequest,
): SimulatorRequest => ({
  operation,
  idempotency_key: key,
  amount: money.amount,
  currency: money.currency,
  payment_id: reference,
});

/** Our cancel in the provider's words. */
export const cancelToWire = ({
  key,
  authorizationKey,
  money,
  reference,
}: CancelRequest): SimulatorRequest => ({
  operation: 'cancel',
  idempotency_key: key,
  amount: money.amount,
  currency: money.currency,
  authorization_key: authorizationKey,
  payment_id: reference,
});

/** Our look-up in the provider's words. */
export const statusToWire = ({ key, verb, money, reference, approval }: LookupRequest): SimulatorRequest => ({
  operation: 'status',
  of: verb,
  idempotency_key: key,
  amount: money.amount,
  currency: money.currency,
  payment_id: reference,
  ...(approval && { approval }),
});

const AVS = [
  'match',
  'no_match',
  'partial_match_address',
  'partial_match_postcode',
  'partial_match_name',
  'unavailable',
] as const;
const CVV = ['match', 'no_match', 'unavailable', 'not_provided'] as const;

const reply = z.object({
  result: z.enum(['approved', 'declined', 'error', 'pending']),
  id: z.string().min(1),
  amount: z.int(),
  currency: z.string(),
  code: z.string(),
  message: z.string(),
  approval_url: z.url({ protocol: /^https?$/ }).optional(),
  auth_code: z.string().optional(),
  // Another word about a check says nothing, and is no reason to doubt the payment.
  avs: z.enum(AVS).optional().catch(undefined),
  cvv: z.enum(CVV).optional().catch(undefined),
});

const notFound = z.object({ result: z.literal('not_found') });

/**
 * The provider's answer in our words; null: it does not know the operation. Anything that it has not promised to say is
 * `unknown`, never a refusal.
 */
export function outcomeFromWire(given: unknown): Outcome | null {
  if (notFound.safeParse(given).success) return null;
  const parsed = reply.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { result, id, amount, currency, code, message, approval_url, auth_code, avs, cvv } = parsed.data;
  const words = {
    rawResponseCode: code,
    rawResponseDescription: message,
    authResponseCode: auth_code ?? null,
    avsResponseCode: avs ?? null,
    cvvResponseCode: cvv ?? null,
  };
  if (result === 'approved')
    return { kind: 'succeeded', reference: id, money: { amount, currency }, ...words };
  if (result === 'pending')
    return { kind: 'accepted', reference: id, ...(approval_url && { approvalUrl: approval_url }), ...words };
  return { kind: result === 'declined' ? 'declined' : 'failed', reference: id, errorCode: code, ...words };
}
