import { authorOf } from '../../accounts/index.ts';
import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/input/text.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { Operation, Operated } from '../model/operation.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import type { OperationNotUnresolved } from '../model/refusals.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { settle } from '../settle/settle.ts';
import { readOperation } from '../rows/read.sql.ts';
import { claimResolution } from './unresolved.sql.ts';

const resolutionInput = z.object({
  outcome: z.enum(['succeeded', 'failed']),
  reason: text(1, 500),
  paymentServiceReference: text(1, 255)
    .nullish()
    .transform((reference) => reference ?? null),
});

type ResolutionInput = z.output<typeof resolutionInput>;

/**
 * Settles an operation of unknown outcome with the result that a person found at the provider. Refuses an operation
 * with a known outcome, unless the result is the same. Refuses an operation during an inquiry. Commits twice: first the
 * person and the reason, then the outcome by the usual settle. The history keeps the first for ever. After a crash
 * between, the outcome is still unknown. Resolve the operation again.
 */
export async function resolveOperation(
  app: App,
  viewer: Viewer,
  operationId: string,
  given: unknown,
): Promise<Result<Operated, InvalidInput | NotFound | OperationNotUnresolved>> {
  const checked = parseInput(resolutionInput, given);
  if (!checked.ok) return checked;
  if (!isUuid(operationId)) return refuse(notFound('operation'));
  const claimed = await claim(app, viewer, operationId, checked.value);
  if (claimed) return ok(await settle(app, claimed, outcomeOf(claimed.operation, checked.value)));
  const found = await readOperation(app.db, viewer.merchantAccountId, operationId);
  if (!found) return refuse(notFound('operation'));
  const { status } = found.operation;
  return status === checked.value.outcome ? ok(found) : refuse({ kind: 'OperationNotUnresolved', status });
}

const claim = (app: App, viewer: Viewer, operationId: string, input: ResolutionInput) => {
  const now = app.clock.now();
  return claimResolution(app.db, {
    merchantAccountId: viewer.merchantAccountId,
    operationId,
    audit: { outcome: input.outcome, reason: input.reason, ...authorOf(viewer) },
    historyId: app.ids.uuid(),
    now,
    leaseUntil: leaseOf(app, now),
  });
};

function outcomeOf(operation: Operation, input: ResolutionInput): FinalOutcome {
  const words = { rawResponseCode: null, rawResponseDescription: null };
  // Our key stands in for a missing id of the provider. The provider received the key with the request.
  const reference = input.paymentServiceReference ?? operation.providerReference ?? providerKeyOf(operation);
  const { amount, currency } = operation;
  return input.outcome === 'succeeded'
    ? { kind: 'succeeded', reference, money: { amount, currency }, ...words }
    : { kind: 'failed', reference, errorCode: RESOLVED_AS_FAILED, ...words };
}

/** The error code of an operation that a person resolved as failed. */
const RESOLVED_AS_FAILED = 'resolved_as_failed';
