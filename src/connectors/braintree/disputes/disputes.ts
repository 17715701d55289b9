import {
  disputesBy,
  responseNotTaken,
  type DisputeAnswer,
  type DisputeRequest,
  type Evidence,
} from '../../door.ts';
import { disputeAnswer, type DisputeState } from '../answers.ts';
import { wordOf } from '../errors.ts';
import { parse, type Answer, type Api } from '../exchange.ts';
import { stateOf } from './dispute-report.ts';

/** The responses to disputes. Braintree keeps no keys, so each response reads the dispute first. */
export const disputesOf = disputesBy({ submitEvidence, accept });

type EvidenceRequest = DisputeRequest & { readonly evidence: Evidence };

/**
 * Adds the files and the texts to the dispute, and ends the evidence. The last text has the name of the response, by which a repeat
 * finds what is there. A repeat may add a file once more, which changes nothing.
 */
async function submitEvidence(api: Api, request: EvidenceRequest): Promise<DisputeAnswer> {
  const { key, disputeReference: disputeId } = request;
  const before = await readDispute(api, disputeId);
  if (isAnswer(before)) return before;
  const hasOurs = before.evidence.some(({ content }) => content?.endsWith(nameOf(key)) === true);
  if (!isAsked(before, request)) return hasOurs && !isOpen(before) ? DONE : refusedNow(before);
  const added = hasOurs ? DONE : await addEvidence(api, request, before);
  if (added.kind !== 'done') return added;
  const ended = await api.change('finalizeDispute', { disputeId }, key);
  if (ended.kind === 'answered') return DONE;
  if (ended.kind === 'unknown') return withoutAnswer(ended);
  const after = await readDispute(api, disputeId);
  // An earlier request of this key may have ended the evidence since the dispute was read.
  return !isAnswer(after) && hasOurs && !isOpen(after) ? DONE : withoutAnswer(ended);
}

async function addEvidence(
  api: Api,
  { key, evidence, disputeReference: disputeId }: EvidenceRequest,
  before: DisputeState,
): Promise<DisputeAnswer> {
  for (const file of evidence.files) {
    const answer = await api.change(
      'createDisputeFileEvidence',
      { disputeId, category: 'GENERAL' },
      key,
      file,
    );
    if (answer.kind !== 'answered') return withoutAnswer(answer);
  }
  for (const content of textsOf(evidence, key)) {
    if (before.evidence.some((each) => each.content === content)) continue;
    const answer = await api.change('createDisputeTextEvidence', { disputeId, content }, key);
    if (answer.kind !== 'answered') return withoutAnswer(answer);
  }
  return DONE;
}

/** Returns the texts of a response. The last one ends with the name of the response. */
function textsOf({ texts }: Evidence, key: string): readonly string[] {
  const given = texts.map(({ text }) => text);
  return [...given.slice(0, -1), [...given.slice(-1), nameOf(key)].join('\n\n')];
}

/** Returns the name by which a repeat finds the response. */
const nameOf = (key: string): string => `Response ${key}`;

/** Gives the disputed money up. */
async function accept(api: Api, request: DisputeRequest): Promise<DisputeAnswer> {
  const { key, disputeReference: disputeId } = request;
  const before = await readDispute(api, disputeId);
  if (isAnswer(before)) return before;
  if (isAccepted(before)) return DONE;
  if (!isAsked(before, request)) return refusedNow(before);
  const answer = await api.change('acceptDispute', { disputeId }, key);
  if (answer.kind === 'answered') return DONE;
  if (answer.kind === 'unknown') return withoutAnswer(answer);
  const after = await readDispute(api, disputeId);
  return !isAnswer(after) && isAccepted(after) ? DONE : withoutAnswer(answer);
}

const DONE: DisputeAnswer = { kind: 'done' };

const isAnswer = (read: DisputeState | DisputeAnswer): read is DisputeAnswer => 'kind' in read;
const isOpen = ({ status }: DisputeState): boolean => status === 'OPEN';
const isAccepted = ({ status }: DisputeState): boolean => status === 'ACCEPTED' || status === 'AUTO_ACCEPTED';

/** True if the dispute waits for a response in the stage that the merchant's words are about. */
const isAsked = (dispute: DisputeState, { stage }: DisputeRequest): boolean =>
  isOpen(dispute) && stateOf(dispute)?.stage === stage;

const refusedNow = ({ type, status }: DisputeState): DisputeAnswer => ({
  ...{ kind: 'refused', errorCode: `dispute_is_${type}_${status}`.toLowerCase() },
});

async function readDispute(api: Api, id: string): Promise<DisputeState | DisputeAnswer> {
  const answer = await api.read('dispute', { id });
  if (answer.kind !== 'answered') return withoutAnswer(answer);
  const node = parse(disputeAnswer, answer.body)?.node;
  return node && stateOf(node) ? node : { kind: 'unknown', cause: 'unreadable' };
}

const withoutAnswer = (answer: Answer): DisputeAnswer =>
  responseNotTaken(answer, ({ error }) => wordOf(error));
