import type { ExplainRoutingInput } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { DECISION } from '../rules/query.ts';

const SERVICE = { id: true, displayName: true } as const;

const explanationOf = (withRules: boolean) =>
  ({
    candidates: { paymentService: SERVICE, choices: true, isSetBehind: true },
    considered: { paymentService: SERVICE, accepts: true, reasons: { code: true } },
    ...{ candidateCount: true, consideredCount: true },
    // Without the scope the part is absent.
    decision: (withRules && DECISION) as typeof DECISION,
  }) as const;

/** Finds the route of a payment, and the reasons against each other service. Creates no payment. */
export const explainRoute = async (input: ExplainRoutingInput, withRules: boolean, signal?: AbortSignal) =>
  (await api.query({ explainRouting: [{ input }, explanationOf(withRules)] }, signal && { signal }))
    .explainRouting;

/** The route of a payment. */
export type Explanation = Awaited<ReturnType<typeof explainRoute>>;
