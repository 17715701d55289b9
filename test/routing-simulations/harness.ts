import { simulateNextPages } from '../../src/modules/routing-simulations/index.ts';
import type { Input, Shop, UserError } from '../routing/harness.ts';
import { query } from '../support/database.ts';
import type { TestServer } from '../support/server.ts';

type Payments = { readonly payments: number; readonly authorizedThen: number };

/** The answer of a simulation as the API shows it. */
export type Result = {
  readonly payments: number;
  readonly passedBy: number;
  readonly open: number;
  readonly refused: readonly (Payments & { readonly code: string })[];
  readonly withoutService: Payments;
  readonly moves: readonly {
    readonly fromPaymentServiceId: string | null;
    readonly toPaymentServiceId: string | null;
    readonly payments: number;
  }[];
  readonly rules: readonly { readonly rule: number | null; readonly payments: number }[];
  readonly compared: Payments & {
    readonly authorizedExpected: number;
    readonly authorizedLow: number;
    readonly authorizedHigh: number;
    readonly attemptsThen: number;
    readonly attemptsExpected: number;
  };
  readonly unknown: Payments;
  readonly unknownGroups: readonly Input[];
  readonly fees: readonly Input[];
  readonly coarselyCompared: number;
  readonly differing: readonly Input[];
};

export type Simulated = {
  readonly id: string;
  readonly version: { readonly id: string };
  readonly status: string;
  readonly progress: number;
  readonly scanned: number;
  readonly result: Result | null;
  readonly endedAt: string | null;
};

export type Started = {
  readonly routingSimulation: Simulated | null;
  readonly routingSimulationId: string | null;
  readonly userErrors: readonly UserError[];
  readonly replayed: boolean;
};

const PAYMENTS = 'payments authorizedThen';

const RESULT = `{ payments passedBy open refused { code ${PAYMENTS} } withoutService { ${PAYMENTS} }
  moves { fromPaymentServiceId toPaymentServiceId payments } rules { rule payments }
  compared { ${PAYMENTS} authorizedExpected authorizedLow authorizedHigh attemptsThen attemptsExpected }
  unknown { ${PAYMENTS} }
  unknownGroups { paymentServiceId currency method scheme country amountDigits payments }
  fees { currency then expected amountWithoutFeeThen amountWithoutFeeExpected } coarselyCompared
  differing { transactionId amount currency kind fromPaymentServiceId toPaymentServiceId rule ruleName share refusalCode
    chance { rate low high cases } } }`;

const SIMULATED = `{ id version { id } status progress scanned endedAt result ${RESULT} }`;

const START = `mutation ($input: SimulateRoutingInput!, $key: String) {
  answer: simulateRouting(input: $input, idempotencyKey: $key) { routingSimulation ${SIMULATED}
    routingSimulationId userErrors { __typename code message path } replayed } }`;

const CANCEL = `mutation ($id: ID!) { answer: cancelRoutingSimulation(id: $id) { routingSimulation ${SIMULATED}
  userErrors { __typename code message path } } }`;

const FIND = `query ($id: ID!) { answer: routingSimulation(id: $id) ${SIMULATED} }`;

const LIST = `{ answer: routingSimulations(first: 100) { nodes { id } } }`;

const DAY_MS = 24 * 3_600_000;

/** Requests of a merchant account about simulations. */
export type Simulating = {
  /** Starts a simulation of the payments of a day, so far. */
  start(versionId: string, change?: Input, key?: string): Promise<Started>;
  find(id: string): Promise<Simulated | null>;
  list(): Promise<readonly string[]>;
  cancel(id: string): Promise<Pick<Started, 'routingSimulation' | 'userErrors'>>;
  /** Starts a simulation of a version of these rules, plays all payments and returns the answer. */
  result(rules: readonly Input[], change?: Input): Promise<Result>;
};

/** Sends requests as a shop. */
export function simulatingAs(
  server: TestServer,
  { ask, makeVersion }: Pick<Shop, 'ask' | 'makeVersion'>,
): Simulating {
  const from = new Date(server.app.clock.now().getTime() - DAY_MS).toISOString();
  const start: Simulating['start'] = (versionId, change = {}, key) =>
    ask(START, { input: { versionId, from, ...change }, key });
  const find: Simulating['find'] = (id) => ask(FIND, { id });
  return {
    ...{ start, find },
    list: async () => (await ask<{ nodes: readonly { id: string }[] }>(LIST)).nodes.map(({ id }) => id),
    cancel: (id) => ask(CANCEL, { id }),
    result: async (rules, change) => {
      const { version } = await makeVersion(rules);
      const started = await start(version?.id ?? '', change);
      await playAll(server);
      const found = await find(started.routingSimulationId ?? '');
      if (!found?.result) throw new Error(JSON.stringify([started, found]));
      return found.result;
    },
  };
}

/** Plays pages until no simulation is due. */
export async function playAll({ app }: Pick<TestServer, 'app'>): Promise<void> {
  while (await simulateNextPages(app));
}

/**
 * Copies each payment of a merchant account, with its authorisations. The copies are a second apart, from the moment on, and their
 * ids end like random ones.
 */
export async function copyPayments(url: string, account: string, times: number, from: string): Promise<void> {
  const id = (of: string): string => `(substr(md5(${of}), 1, 8) || '-' || substr(md5(${of}), 9, 4) || '-7' ||
    substr(md5(${of}), 14, 3) || '-8' || substr(md5(${of}), 18, 3) || '-' || substr(md5(${of}), 21, 12))::uuid`;
  await query(
    url,
    `SET session_replication_role = replica;
     INSERT INTO transaction SELECT copy.*
     FROM transaction t, generate_series(1, ${times}) n, jsonb_populate_record(t, jsonb_build_object(
       'id', ${id("t.id || ' ' || n")}, 'created_at', '${from}'::timestamptz + n * interval '1 second')) copy
     WHERE t.merchant_account_id = '${account}';
     INSERT INTO operation SELECT copy.*
     FROM operation o, generate_series(1, ${times}) n, jsonb_populate_record(o, jsonb_build_object(
       'id', ${id("o.id || ' ' || n")}, 'transaction_id', ${id("o.transaction_id || ' ' || n")},
       'position', NULL, 'provider_key', NULL)) copy
     WHERE o.merchant_account_id = '${account}' AND o.kind = 'authorize';
     SET session_replication_role = origin`,
  );
}
