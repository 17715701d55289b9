import {
  disputesBy,
  responseNotTaken,
  type DisputeAnswer,
  type DisputeRequest,
  type Evidence,
} from '../../door.ts';
import type { Answer, Api } from '../exchange.ts';
import { dispute as disputeSchema, type Dispute } from './dispute-answers.ts';
import { stageOf } from './dispute-report.ts';
import { evidenceToWire, noteOf, responseForm } from './evidence-wire.ts';

/** The responses to disputes. PayPal keeps no keys for them, so each response reads the dispute first. */
export const disputesOf = disputesBy({ submitEvidence, accept });

/** Gives the evidence with all files in one request. PayPal decides later. */
async function submitEvidence(
  api: Api,
  { evidence, ...request }: DisputeRequest & { readonly evidence: Evidence },
): Promise<DisputeAnswer> {
  const { key } = request;
  const read = await readDispute(api, request);
  if (!('dispute' in read)) return read;
  if (isAnswered(read.dispute, key)) return DONE;
  const refusal = refuseUnlessAsked(read.dispute, request);
  if (refusal) return refusal;
  const form = responseForm(evidenceToWire(evidence, key), evidence.files, key);
  const answer = await api.upload(`${pathOf(request)}/provide-evidence`, form);
  return answerFrom(answer, () => isDone(api, request, (now) => isAnswered(now, key)));
}

/** Gives the disputed money up. PayPal refunds the buyer from the merchant's account. */
async function accept(api: Api, request: DisputeRequest): Promise<DisputeAnswer> {
  const read = await readDispute(api, request);
  if (!('dispute' in read)) return read;
  if (isAccepted(read.dispute)) return DONE;
  const refusal = refuseUnlessAsked(read.dispute, request);
  if (refusal) return refusal;
  const body = { note: noteOf(request.key), accept_claim_type: 'REFUND' };
  const answer = await api.post(`${pathOf(request)}/accept-claim`, body, request.key);
  return answerFrom(answer, () => isDone(api, request, isAccepted));
}

const DONE: DisputeAnswer = { kind: 'done' };

const pathOf = ({ disputeReference }: DisputeRequest): string =>
  `/v1/customer/disputes/${encodeURIComponent(disputeReference)}`;

/** True if the dispute has the evidence of this response. */
const isAnswered = ({ evidences }: Dispute, key: string): boolean =>
  evidences.some(({ notes }) => notes === noteOf(key));

const isAccepted = ({ status, dispute_outcome: outcome }: Dispute): boolean =>
  status === 'RESOLVED' && outcome?.outcome_code === 'ACCEPTED';

async function readDispute(
  api: Api,
  request: DisputeRequest,
): Promise<{ readonly dispute: Dispute } | DisputeAnswer> {
  const answer = await api.get(pathOf(request));
  const read = answer.kind === 'answered' ? disputeSchema.safeParse(answer.body).data : undefined;
  return read ? { dispute: read } : withoutAnswer(answer);
}

/** PayPal takes a response in any stage, while the dispute waits for the merchant. The merchant's words are about one stage. */
function refuseUnlessAsked(dispute: Dispute, { stage }: DisputeRequest): DisputeAnswer | null {
  const now = stageOf(dispute);
  if (now === null) return { kind: 'unknown', cause: 'unreadable' };
  if (now !== stage) return { kind: 'refused', errorCode: `DISPUTE_IS_${dispute.dispute_life_cycle_stage}` };
  return dispute.status === 'WAITING_FOR_SELLER_RESPONSE' || dispute.status === 'OPEN'
    ? null
    : { kind: 'refused', errorCode: `DISPUTE_IS_${dispute.status}` };
}

/** PayPal refuses a second response. An earlier attempt may have arrived meanwhile, so the dispute is read once more. */
const answerFrom = async (answer: Answer, isDoneNow: () => Promise<boolean>): Promise<DisputeAnswer> =>
  answer.kind === 'answered' || (answer.kind === 'refused' && (await isDoneNow()))
    ? DONE
    : withoutAnswer(answer);

async function isDone(
  api: Api,
  request: DisputeRequest,
  holds: (dispute: Dispute) => boolean,
): Promise<boolean> {
  const read = await readDispute(api, request);
  return 'dispute' in read && holds(read.dispute);
}

const withoutAnswer = (answer: Answer): DisputeAnswer =>
  responseNotTaken(answer, ({ error: { details, name } }) => details[0]?.issue ?? name);
