import type { ExplainRoutingInput } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';

const SERVICE = { id: true, displayName: true } as const;

/** Finds the route of a payment, and the reasons against each other service. Creates no payment. */
export async function explainRoute(input: ExplainRoutingInput, signal?: AbortSignal) {
  const { explainRouting } = await api.query(
    {
      explainRouting: [
        { input },
        {
          candidates: { paymentService: SERVICE, choices: true },
          considered: {
            paymentService: SERVICE,
            accepts: true,
            reasons: { code: true },
          },
          consideredCount: true,
        },
      ],
    },
    signal && { signal },
  );
  return explainRouting;
}

/** The route of a payment. */
export type Explanation = Awaited<ReturnType<typeof explainRoute>>;
