import type { ThreeDSScenario } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { pageOf, readAll, rowsOf } from '../../app/data/pages.ts';
import type { Step } from './steps.ts';

/** The fields of an outcome. */
export const OUTCOME = {
  enrollment: true,
  version: true,
  authentication: true,
  challengeResult: true,
} as const;

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
  readAll(signal, async ({ after }) => {
    const wanted = [{ first: 100, after }, pageOf(RULE)] as const;
    return rowsOf((await api.query({ threeDSScenarios: wanted }, { signal })).threeDSScenarios);
  });

/** Carries out the steps to a new order, one after the other. */
export async function moveRules(steps: readonly Step[]): Promise<void> {
  for (const { id, before } of steps)
    await api.mutate({ moveThreeDSScenario: [{ id, to: { before } }, { threeDSScenario: { id: true } }] });
}
