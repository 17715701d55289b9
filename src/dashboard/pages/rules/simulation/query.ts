import type { RoutingSimulation, SimulateRoutingInput } from '../../../../client/generated/schema.ts';
import type { Answer } from '../../../../client/operations/selection.ts';
import { api, idOf, isUuid } from '../../../app/data/api.ts';
import { pageOf, rowsOf } from '../../../app/data/pages.ts';
import { VERSION_NAME } from '../query.ts';

const LINE = {
  ...{ id: true, from: true, to: true, sample: true, status: true, progress: true, createdAt: true },
  version: VERSION_NAME,
} as const;

/** A simulation in a list. */
export type SimulationLine = Answer<RoutingSimulation, typeof LINE>;

/** The number of simulations of the account among which a page finds those of its rule set. */
const LISTED = 50;

/** Reads the latest simulations of a rule set, among the latest of the account. */
export async function readSimulations(ruleSetId: string, signal: AbortSignal) {
  const wanted = [{ first: LISTED }, pageOf(LINE)] as const;
  const { rows } = rowsOf((await api.query({ routingSimulations: wanted }, { signal })).routingSimulations);
  return rows.filter(({ version }) => version.ruleSet.id === ruleSetId);
}

const PAYMENTS = { payments: true, authorizedThen: true } as const;
const WAY = { fromPaymentServiceId: true, toPaymentServiceId: true } as const;
const FEES = {
  ...{ currency: true, then: true, expected: true },
  ...{ amountWithoutFeeThen: true, amountWithoutFeeExpected: true },
} as const;
const DIFFERING = {
  ...{ transactionId: true, amount: true, currency: true, kind: true, ...WAY },
  ...{ rule: true, ruleName: true, refusalCode: true },
} as const;

/** The scopes for parts of the answer. Without a scope the part is absent. */
export type Readable = { readonly fees: boolean; readonly differing: boolean };

const simulationOf = ({ fees, differing }: Readable) =>
  ({
    ...LINE,
    scanned: true,
    result: {
      ...{ payments: true, passedBy: true, open: true, unknown: PAYMENTS, withoutService: PAYMENTS },
      refused: { code: true, ...PAYMENTS },
      moves: { ...WAY, payments: true },
      compared: {
        ...{ ...PAYMENTS, authorizedExpected: true, authorizedLow: true, authorizedHigh: true },
        ...{ attemptsThen: true, attemptsExpected: true },
      },
      fees: (fees && FEES) as typeof FEES,
      differing: (differing && DIFFERING) as typeof DIFFERING,
    },
  }) as const;

/** Reads a simulation with its answer. Null without such a simulation. */
export async function readSimulation(id: string, readable: Readable, signal: AbortSignal) {
  if (!isUuid(id)) return null;
  const wanted = [{ id }, simulationOf(readable)] as const;
  return (await api.query({ routingSimulation: wanted }, { signal })).routingSimulation;
}

/** A simulation with its answer. */
export type Simulation = NonNullable<Awaited<ReturnType<typeof readSimulation>>>;

/** The answer of a simulation. */
export type Result = NonNullable<Simulation['result']>;

/** Starts a simulation. Returns its id. */
export async function simulate(input: SimulateRoutingInput, idempotencyKey: string): Promise<string> {
  const { simulateRouting } = await api.mutate({
    simulateRouting: [{ input, idempotencyKey }, { routingSimulationId: true }],
  });
  return idOf(simulateRouting.routingSimulationId);
}

/** Cancels a simulation that has not ended. */
export const cancelSimulation = (id: string) =>
  api.mutate({ cancelRoutingSimulation: [{ id }, { routingSimulation: { id: true } }] });

/** Tells whether the worker has not ended a simulation. */
export const isUnderWay = ({ status }: Pick<SimulationLine, 'status'>): boolean =>
  status === 'PENDING' || status === 'RUNNING';
