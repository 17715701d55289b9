import { z } from 'zod';
import {
  parseJson,
  type CallContext,
  type DisputeAnswer,
  type DisputeRequest,
  type DisputeResponses,
  type Evidence,
} from '../../door.ts';
import { defenceOf, type DefenceReason } from './defence.ts';
import { documentsOf } from './defence-documents.ts';
import { errorOf, exchange } from '../exchange.ts';
import type { AdyenHosts } from '../hosts.ts';
import type { AdyenDisputeRequests } from '../request-shapes.ts';

/**
 * The responses to disputes, by the Disputes API.
 *
 * A defence takes three requests: the reasons that Adyen allows, the documents, and the defence itself. Each has a key of its own,
 * so that a repeat of the response repeats the answers of Adyen.
 */
export const adyenDisputes = (hosts: AdyenHosts): DisputeResponses => ({
  submitEvidence: (context, { evidence, ...request }) => defend(deskOf(hosts, context, request), evidence),
  accept: async (context, request) => {
    const accepted = await deskOf(hosts, context, request)('acceptDispute', 'accept', {});
    return 'answer' in accepted ? accepted.answer : { kind: 'done' };
  },
});

/** The fields that name the dispute in every request. */
type Named = { readonly merchantAccountCode: string; readonly disputePspReference: string };

/** Sends a request about one dispute. Returns the parsed success, or the answer that ends the response. */
type Desk = <Path extends keyof AdyenDisputeRequests>(
  path: Path,
  step: string,
  fields: Omit<AdyenDisputeRequests[Path], keyof Named>,
) => Promise<{ readonly success: Success } | { readonly answer: DisputeAnswer }>;

/** All requests of a response share the time limit of the call. */
function deskOf(hosts: AdyenHosts, context: CallContext, { key, disputeReference }: DisputeRequest): Desk {
  const addresses = hosts(context);
  const startedAt = performance.now();
  const named: Named = {
    merchantAccountCode: context.credentials['merchant_account'] ?? '',
    disputePspReference: disputeReference,
  };
  return async (path, step, fields) => {
    const deadlineMs = Math.floor(context.deadlineMs - (performance.now() - startedAt));
    if (!addresses) return { answer: { kind: 'unknown', cause: 'connection' } };
    if (deadlineMs < 1) return { answer: { kind: 'unknown', cause: 'timeout' } };
    const exchanged = await exchange(
      { ...context, deadlineMs },
      { url: `${addresses.disputes}/${path}`, key: `${key}:${step}`, body: { ...named, ...fields } },
    );
    if ('unknown' in exchanged) return { answer: { kind: 'unknown', cause: exchanged.unknown.cause } };
    return readAnswer(exchanged.status, parseJson(exchanged.text));
  };
}

async function defend(ask: Desk, evidence: Evidence): Promise<DisputeAnswer> {
  const documents = documentsOf(evidence);
  if (!documents.ok) return { kind: 'refused', errorCode: documents.refusals[0] };
  const allowed = await ask('retrieveApplicableDefenseReasons', 'reasons', {});
  if ('answer' in allowed) return allowed.answer;
  const defence = defenceOf(allowed.success.defenseReasons, documents.value.length);
  if (!defence) return { kind: 'refused', errorCode: 'no_defense_reason' };
  const { reasonCode, typeCodes } = defence;
  const supplied = await ask('supplyDefenseDocument', 'documents', {
    defenseDocuments: documents.value.map((document, index) => ({
      ...document,
      // The defence has a type for each document.
      defenseDocumentTypeCode: typeCodes[index] ?? '',
    })),
  });
  if ('answer' in supplied) return supplied.answer;
  const defended = await ask('defendDispute', 'defend', { defenseReasonCode: reasonCode });
  return 'answer' in defended ? defended.answer : { kind: 'done' };
}

const documentType = z.object({ defenseDocumentTypeCode: z.string(), requirementLevel: z.string() });

const reply = z.object({
  disputeServiceResult: z.object({ success: z.boolean(), errorMessage: z.string().optional() }),
  defenseReasons: z
    .array(
      z.object({ defenseReasonCode: z.string(), defenseDocumentTypes: z.array(documentType).default([]) }),
    )
    .default([]),
});

type Success = { readonly defenseReasons: readonly DefenceReason[] };

/** Maps Adyen's answer. An undocumented answer is `unknown`, never a refusal. */
function readAnswer(
  status: number,
  given: unknown,
): { readonly success: Success } | { readonly answer: DisputeAnswer } {
  if (status >= 500) return { answer: { kind: 'unknown', cause: 'server_error' } };
  if (status >= 400) {
    const error = errorOf(given);
    const errorCode = error?.message ?? error?.errorCode;
    return errorCode !== undefined && REFUSALS.has(status)
      ? { answer: { kind: 'refused', errorCode } }
      : { answer: { kind: 'unknown', cause: 'unreadable' } };
  }
  const parsed = reply.safeParse(given);
  if (!parsed.success) return { answer: { kind: 'unknown', cause: 'unreadable' } };
  const { disputeServiceResult: result, defenseReasons } = parsed.data;
  if (result.success) return { success: { defenseReasons } };
  return { answer: { kind: 'refused', errorCode: result.errorMessage ?? 'service_decline' } };
}

const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 422]);
