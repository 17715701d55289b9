import { makeNextFigures } from '../../src/modules/routing-figures/index.ts';
import type { Input, Shop } from '../routing/harness.ts';
import type { TestServer } from '../support/server.ts';

export type Compared = {
  readonly by: string;
  readonly figuresId: string | null;
  readonly figuresMadeAt: string | null;
  readonly trial: boolean;
  readonly services: readonly (Input & { readonly paymentServiceId: string })[];
};

export type Routed = {
  readonly routing: { readonly compared: Compared | null; readonly retries: readonly Retry[] };
};

type Retry = { readonly attempt: number; readonly compared: Compared | null };

const COMPARED = `compared { by figuresId figuresMadeAt trial services {
  paymentServiceId segment cases authorized lowerBound expectedFee feeSource } }`;

/** Reads the comparison of a payment. */
export const readCompared = ({ ask }: Pick<Shop, 'ask'>, id: string): Promise<Routed> =>
  ask(
    `query ($id: ID!) { answer: transaction(id: $id) { routing { ${COMPARED} retries { attempt ${COMPARED} } } } }`,
    {
      id,
    },
  );

/** Explains a payment, with the comparison of its services. */
export const explainCompared = async ({ ask }: Pick<Shop, 'ask'>, input: Input): Promise<Compared | null> => {
  const { decision } = await ask<{ decision: Pick<Routed['routing'], 'compared'> }>(
    `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) { decision { ${COMPARED} } } }`,
    { input: { currency: 'USD', country: 'US', amount: 1299, ...input } },
  );
  return decision.compared;
};

/** Makes figures until none are due. */
export async function makeAllFigures({ app }: Pick<TestServer, 'app'>): Promise<number> {
  let rounds = 0;
  while (await makeNextFigures(app)) rounds += 1;
  return rounds;
}
