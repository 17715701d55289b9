import type { App, Viewer } from '../../../app.ts';
import type { IdempotencyRefusal } from '../../../kernel/refusal.ts';
import type { Result } from '../../../kernel/result.ts';
import type { DisputeRefusal } from '../refusals.ts';
import { respond } from './respond.ts';
import type { Answered } from './replay.ts';

/**
 * Gives the disputed money up. The loss is booked with the provider's answer. `respond` says what a response commits.
 * Refused unless the dispute needs a response, and after its time to respond.
 */
export const acceptDispute = (
  app: App,
  viewer: Viewer,
  id: string,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answered, DisputeRefusal | IdempotencyRefusal>> =>
  respond(app, viewer, id, { kind: 'acceptance', evidence: null, idempotencyKey });
