import type { ExplainRoutingInput } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';

const SERVICE = { id: true, displayName: true } as const;

const EXPLANATION = {
  candidates: { paymentService: SERVICE, choices: true },
  considered: { paymentService: SERVICE, accepts: true, reasons: { code: true } },
  consideredCount: true,
} as const;

/** Finds the route of a payment, and the reasons against each other service. Creates no payment. */
export const explainRoute = async (input: ExplainRoutingInput, signal?: AbortSignal) =>
  (await api.query({ explainRouting: [{ input }, EXPLANATION] }, signal && { signal })).explainRouting;

/** The route of a payment. */
export type Explanation = Awaited<ReturnType<typeof explainRoute>>;
