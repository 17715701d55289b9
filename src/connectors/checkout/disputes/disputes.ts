import { z } from 'zod';
import {
  disputesBy,
  responseNotTaken,
  type DisputeAnswer,
  type DisputeRequest,
  type Evidence,
} from '../../door.ts';
import { created } from '../answers.ts';
import { wordOf } from '../errors.ts';
import type { Answer, Api } from '../exchange.ts';
import { dispute as disputeSchema, stateOf, type Dispute } from './dispute-report.ts';
import { evidenceToWire, fileToWire, nameOf, placeEvidence, type EvidenceField } from './evidence-wire.ts';

/** The responses to disputes. Checkout.com keeps no keys for them, so each response reads the dispute first. */
export const disputesOf = disputesBy({ submitEvidence, accept });

/**
 * Uploads the files, stores the evidence and submits it. Before the last step, a repeat replaces the evidence. After that step, the
 * stored evidence tells whose response it was.
 */
async function submitEvidence(
  api: Api,
  { evidence, ...request }: DisputeRequest & { readonly evidence: Evidence },
): Promise<DisputeAnswer> {
  const placed = placeEvidence(evidence, request.key);
  if (!placed.ok) return { kind: 'refused', errorCode: placed.refusals[0] };
  const before = await readDispute(api, request);
  if ('kind' in before) return before;
  if (!isAsked(before, request)) return isOurs(api, request, before);
  const files = new Map<EvidenceField, string>();
  for (const [field, file] of placed.value.files) {
    const answer = await api.put('POST', '/files', fileToWire(file, request.key));
    const made = answer.kind === 'answered' ? created.safeParse(answer.body).data : undefined;
    if (!made) return withoutAnswer(answer);
    files.set(field, made.id);
  }
  const path = `${pathOf(request)}/evidence`;
  const stored = await api.put('PUT', path, evidenceToWire(placed.value, files));
  if (stored.kind !== 'answered') return withoutAnswer(stored);
  const submitted = await api.put('POST', path, null);
  if (submitted.kind === 'answered') return DONE;
  if (submitted.kind === 'unknown') return withoutAnswer(submitted);
  const after = await readDispute(api, request);
  return 'kind' in after || isAsked(after, request) ? withoutAnswer(submitted) : isOurs(api, request, after);
}

/** Gives the disputed money up. */
async function accept(api: Api, request: DisputeRequest): Promise<DisputeAnswer> {
  const before = await readDispute(api, request);
  if ('kind' in before) return before;
  if (before.status === ACCEPTED) return DONE;
  if (!isAsked(before, request)) return refusedNow(before);
  const answer = await api.put('POST', `${pathOf(request)}/accept`, null);
  if (answer.kind === 'answered') return DONE;
  if (answer.kind === 'unknown') return withoutAnswer(answer);
  const after = await readDispute(api, request);
  return !('kind' in after) && after.status === ACCEPTED ? DONE : withoutAnswer(answer);
}

const DONE: DisputeAnswer = { kind: 'done' };
const ACCEPTED = 'accepted';

const pathOf = ({ disputeReference }: DisputeRequest): string =>
  `/disputes/${encodeURIComponent(disputeReference)}`;

async function readDispute(api: Api, request: DisputeRequest): Promise<Dispute | DisputeAnswer> {
  const answer = await api.get(pathOf(request));
  const read = answer.kind === 'answered' ? disputeSchema.safeParse(answer.body).data : undefined;
  if (!read) return withoutAnswer(answer);
  return stateOf(read) ? read : { kind: 'unknown', cause: 'unreadable' };
}

/** True if the dispute waits for a response in the stage that the merchant's words are about. */
function isAsked(dispute: Dispute, { stage }: DisputeRequest): boolean {
  const state = stateOf(dispute);
  return state?.status === 'needs_response' && state.stage === stage;
}

const refusedNow = ({ status }: Dispute): DisputeAnswer => ({
  kind: 'refused',
  errorCode: `dispute_is_${status}`,
});

const evidenceAnswer = z.object({ additional_evidence_text: z.string().nullish().catch(null) });

/**
 * Tells whether the evidence of a dispute that takes none any more is that of this response. Evidence without its text does not tell
 * whose evidence is under review.
 */
async function isOurs(api: Api, request: DisputeRequest, dispute: Dispute): Promise<DisputeAnswer> {
  const answer = await api.get(`${pathOf(request)}/evidence`);
  if (answer.kind === 'unknown') return withoutAnswer(answer);
  if (answer.kind === 'refused') return refusedNow(dispute);
  const text = evidenceAnswer.safeParse(answer.body).data?.additional_evidence_text;
  if (text == null && stateOf(dispute)?.status === 'under_review')
    return { kind: 'unknown', cause: 'unreadable' };
  return text?.endsWith(nameOf(request.key)) ? DONE : refusedNow(dispute);
}

const withoutAnswer = (answer: Answer): DisputeAnswer => responseNotTaken(answer, wordOf);
