import type { Answer } from '../../../client/operations/selection.ts';
import type {
  CreateThreeDSScenarioInput,
  ExplainThreeDSScenarioInput,
  ThreeDSScenario,
  UpdateThreeDSScenarioInput,
} from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, readAll, rowsOf, type Rows } from '../../app/pages.ts';
import type { Step } from './steps.ts';

const OUTCOME = { enrollment: true, version: true, authentication: true, challengeResult: true } as const;

const RULE = {
  ...{ id: true, position: true },
  conditions: {
    ...{ firstName: true, lastName: true, emailAddress: true, amount: true, externalIdentifier: true },
    cardNumber: { bin: true, lastFour: true },
  },
  outcome: OUTCOME,
} as const;

/** A rule of the sandbox. */
export type Rule = Answer<ThreeDSScenario, typeof RULE>;

/** The authentication that a rule or a test card leads to. */
export type Outcome = Rule['outcome'];

/** Reads all rules in the order of their checks. A merchant account has at most 200. */
export const readRules = (signal: AbortSignal): Promise<readonly Rule[]> =>
  readAll((after) => readPage(after, signal));

async function readPage(after: string | null, signal: AbortSignal): Promise<Rows<Rule>> {
  const { threeDSScenarios } = await api.query(
    {
      threeDSScenarios: [
        { first: 100, after },
        { nodes: RULE, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(threeDSScenarios);
}

/** Creates a rule after all others. */
export async function createRule(input: CreateThreeDSScenarioInput, idempotencyKey: string): Promise<void> {
  await api.mutate({ createThreeDSScenario: [{ input, idempotencyKey }, { threeDSScenarioId: true }] });
}

/** Changes a rule in its place. */
export async function updateRule(id: string, input: UpdateThreeDSScenarioInput): Promise<void> {
  await api.mutate({ updateThreeDSScenario: [{ id, input }, { threeDSScenario: { id: true } }] });
}

/** Deletes a rule for good. */
export async function deleteRule(id: string): Promise<void> {
  await api.mutate({ deleteThreeDSScenario: [{ id }, { deletedId: true }] });
}

/** Carries out the steps to a new order, one after the other. */
export async function moveRules(steps: readonly Step[]): Promise<void> {
  for (const { id, before } of steps)
    await api.mutate({ moveThreeDSScenario: [{ id, to: { before } }, { threeDSScenario: { id: true } }] });
}

/** Finds the rule that a payment meets, and the reasons against each rule before it. */
export async function explainRules(input: ExplainThreeDSScenarioInput) {
  const { explainThreeDSScenario } = await api.query({
    explainThreeDSScenario: [
      { input },
      {
        source: true,
        scenario: { id: true },
        outcome: OUTCOME,
        passedOver: { scenario: { id: true }, unmet: { message: true } },
      },
    ],
  });
  return explainThreeDSScenario;
}

/** The authentication that a payment would get. */
export type Explanation = Awaited<ReturnType<typeof explainRules>>;
