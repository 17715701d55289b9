import type { Stripe } from 'stripe';
import {
  disputesBy,
  responseNotTaken,
  type DisputeAnswer,
  type DisputeRequest,
  type Evidence,
  type EvidenceKind,
} from '../../door.ts';
import { created } from '../api/answers.ts';
import { dispute as disputeSchema, type Dispute } from './dispute-answers.ts';
import { stateOf } from './dispute-report.ts';
import { evidenceToWire, fileToWire } from './evidence-wire.ts';
import type { Answer, Api } from '../api/exchange.ts';
import { RESPONSE } from '../model/names.ts';

/** The responses to disputes of card payments. */
export const disputesOf = disputesBy({ submitEvidence, accept });

/**
 * Uploads the files and submits the evidence. Stripe stores our key with the evidence, so a repeat after weeks finds the first
 * response. Stripe decides later.
 */
async function submitEvidence(
  api: Api,
  { evidence, ...request }: DisputeRequest & { readonly evidence: Evidence },
): Promise<DisputeAnswer> {
  const { key } = request;
  const read = await readDispute(api, request);
  if (!('dispute' in read)) return read;
  if (read.dispute.metadata[RESPONSE] === key) return DONE;
  const wrong = refuseStage(read.dispute, request);
  if (wrong) return wrong;
  const files = new Map<EvidenceKind, string>();
  for (const file of evidence.files) {
    const fileKey = `${key}:${file.kind}`;
    const answer = await api.upload('/v1/files', fileToWire(file, fileKey), fileKey);
    const made = answer.kind === 'answered' ? created.safeParse(answer.body).data : undefined;
    if (!made) return withoutAnswer(answer);
    files.set(file.kind, made.id);
  }
  const parameters: Stripe.DisputeUpdateParams = {
    evidence: evidenceToWire(evidence, files),
    metadata: { [RESPONSE]: key },
    submit: true,
  };
  return respond(api, request, {
    post: (postKey) => api.post(pathOf(request), parameters, postKey),
    isDone: ({ metadata }) => metadata[RESPONSE] === key,
  });
}

/** Gives the dispute up. */
async function accept(api: Api, request: DisputeRequest): Promise<DisputeAnswer> {
  const read = await readDispute(api, request);
  if (!('dispute' in read)) return read;
  const wrong = refuseStage(read.dispute, request);
  if (wrong) return wrong;
  return respond(api, request, {
    post: (postKey) => api.post(`${pathOf(request)}/close`, {}, postKey),
    isDone: ({ status }) => status === 'lost',
  });
}

type Response = {
  readonly post: (key: string) => Promise<Answer>;
  readonly isDone: (dispute: Dispute) => boolean;
};

/**
 * Sends a response. Stripe replays its own error for a day, so the dispute then tells whether the response arrived. If the
 * dispute shows no response, the response is sent again under another key.
 */
async function respond(
  api: Api,
  request: DisputeRequest,
  { post, isDone }: Response,
): Promise<DisputeAnswer> {
  const answer = await post(request.key);
  if (answer.kind !== 'unknown' || answer.unknown.arrived !== true) return answerFrom(answer);
  const read = await readDispute(api, request);
  if (!('dispute' in read)) return read;
  return isDone(read.dispute) ? DONE : answerFrom(await post(`${request.key}:again`));
}

const DONE: DisputeAnswer = { kind: 'done' };

const pathOf = ({ disputeReference }: DisputeRequest): string =>
  `/v1/disputes/${encodeURIComponent(disputeReference)}`;

async function readDispute(
  api: Api,
  request: DisputeRequest,
): Promise<{ readonly dispute: Dispute } | DisputeAnswer> {
  const answer = await api.get(pathOf(request));
  const read = answer.kind === 'answered' ? disputeSchema.safeParse(answer.body).data : undefined;
  return read ? { dispute: read } : withoutAnswer(answer);
}

/** Stripe takes the evidence of any stage. The merchant's words are about one. */
function refuseStage(dispute: Dispute, { stage }: DisputeRequest): DisputeAnswer | null {
  const state = stateOf(dispute);
  if (state === null) return { kind: 'unknown', cause: 'unreadable' };
  return state.stage === stage ? null : { kind: 'refused', errorCode: `dispute_is_${dispute.status}` };
}

const answerFrom = (answer: Answer): DisputeAnswer =>
  answer.kind === 'answered' && disputeSchema.safeParse(answer.body).success ? DONE : withoutAnswer(answer);

const withoutAnswer = (answer: Answer): DisputeAnswer =>
  responseNotTaken(answer, ({ status, error: { code, type } }) => code ?? type ?? `http_${status}`);
