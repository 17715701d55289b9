import type { App, Viewer } from '../../../app.ts';
import type { IdempotencyRefusal } from '../../../kernel/refusal.ts';
import type { Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { DisputeRefusal } from '../refusals.ts';
import { evidenceInput } from './evidence-input.ts';
import { respond } from './respond.ts';
import type { Answered } from './replay.ts';

/**
 * Gives evidence against a dispute to the provider, which decides later. At most 5 files of 128 KiB together. `respond` says
 * what a response commits. Refused unless the dispute needs a response, and after its time to respond.
 */
export async function submitDisputeEvidence(
  app: App,
  viewer: Viewer,
  id: string,
  input: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answered, DisputeRefusal | IdempotencyRefusal>> {
  const evidence = parseInput(evidenceInput, input);
  if (!evidence.ok) return evidence;
  return respond(app, viewer, id, { kind: 'evidence', evidence: evidence.value, idempotencyKey });
}
