import type { Access } from '../../service/access.ts';
import { askForData, askService } from '../../service/ask.ts';
import { OperatorError } from '../../../platform/operator-error.ts';

/** The state of a simulation while the worker reads payments. */
export type Running = {
  readonly id: string;
  readonly status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'CANCELED' | 'FAILED';
  readonly progress: number;
  readonly scanned: number;
};

type Payments = { readonly payments: number; readonly authorizedThen: number };
type Service = { readonly displayName: string } | null;

/** The answer of a simulation. The API leaves out the parts for which the token lacks a scope. */
export type Result = {
  readonly payments: number;
  readonly passedBy: number;
  readonly open: number;
  readonly refused: readonly (Payments & { readonly code: string })[];
  readonly withoutService: Payments;
  readonly moves: readonly {
    readonly fromPaymentService: Service;
    readonly toPaymentService: Service;
    readonly payments: number;
  }[];
  readonly compared: Payments & {
    readonly authorizedExpected: number;
    readonly authorizedLow: number;
    readonly authorizedHigh: number;
    readonly attemptsThen: number;
    readonly attemptsExpected: number;
  };
  readonly unknown: Payments;
  readonly fees?: readonly {
    readonly currency: string;
    readonly then: number;
    readonly expected: number;
    readonly amountWithoutFeeThen: number;
    readonly amountWithoutFeeExpected: number;
  }[];
  readonly differing?: readonly Differing[];
};

/** A payment that would take another way. */
export type Differing = {
  readonly transactionId: string;
  readonly amount: number;
  readonly currency: string;
  readonly kind: string;
  readonly fromPaymentService: Service;
  readonly toPaymentService: Service;
  readonly rule: number | null;
  readonly ruleName: string | null;
  readonly refusalCode: string | null;
};

/** A simulation that has succeeded. */
export type Ended = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly result: Result;
};

/** Reads the progress of a simulation. */
export async function readRunning(access: Access, id: string): Promise<Running> {
  const query = 'query ($id: ID!) { simulation: routingSimulation(id: $id) { id status progress scanned } }';
  return await found<Running>(access, query, id);
}

/**
 * Reads the answer of a simulation. A token without `settlements.read` gets no fees, and one without `transactions.read` gets no
 * differing payments.
 */
export async function readEnded(access: Access, id: string): Promise<Ended> {
  for (const further of [FEES + DIFFERING, FEES, DIFFERING]) {
    const { data, errors = [] } = await askService(access, { query: queryOf(further), variables: { id } });
    const simulation = data?.['simulation'] as Ended | null | undefined;
    if (errors.length === 0 && simulation) return simulation;
    const isForbidden = errors.some(({ extensions }) => extensions?.code === 'FORBIDDEN');
    if (!isForbidden) throw new OperatorError(errors.map(({ message }) => message).join('\n'));
  }
  return await found<Ended>(access, queryOf(''), id);
}

const PAYMENTS = 'payments authorizedThen';
const WAYS = 'fromPaymentService { displayName } toPaymentService { displayName }';
const FEES = 'fees { currency then expected amountWithoutFeeThen amountWithoutFeeExpected } ';
const DIFFERING = `differing { transactionId amount currency kind ${WAYS} rule ruleName share refusalCode
  chance { rate low high cases } } `;

const queryOf = (further: string): string => `query ($id: ID!) {
  simulation: routingSimulation(id: $id) { id from to sample scanned version { id number ruleSet { id name } } result {
    payments passedBy open refused { code ${PAYMENTS} } withoutService { ${PAYMENTS} }
    moves { ${WAYS} payments } rules { rule payments }
    compared { ${PAYMENTS} authorizedExpected authorizedLow authorizedHigh attemptsThen attemptsExpected }
    unknown { ${PAYMENTS} } coarselyCompared ${further} } } }`;

async function found<Found>(access: Access, query: string, id: string): Promise<Found> {
  const { simulation } = await askForData<{ readonly simulation: Found | null }>(access, {
    ...{ query, variables: { id } },
  });
  if (simulation) return simulation;
  throw new OperatorError('The simulation is not there any more.');
}
