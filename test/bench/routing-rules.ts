import { decide } from '../../src/modules/routing/index.ts';
import { createVersionInput } from '../../src/modules/routing/input/rules.ts';
import { compileVersion } from '../../src/modules/routing/model/compile.ts';
import type { Rule } from '../../src/modules/routing/model/rule.ts';
import { PAYMENT } from '../routing/arbitrary.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import type { BenchOptions, RunBench } from './benches.ts';
import { describeServer, inDatabase, type BenchSettings } from './database.ts';
import { drained, measureRound, openGraphql } from './money-rates.ts';
import { recordOperations } from './money-statements.ts';
import { table } from './results.ts';
import { median, spread } from './statistics.ts';

const COUNTS = [0, 20, 200] as const;

/** Returns the number of measured rounds, and of payments in a round. A first round warms up. */
const extent = ({ quick }: BenchOptions) =>
  quick ? { rounds: 1, operations: 50 } : { rounds: 9, operations: 1_000 };

/** Measures a payment with no rules, with 20 and with 200: its statements, and the processor time of the server. */
export const runRoutingRules: RunBench = (options) =>
  inDatabase('disk', async (settings) => {
    // A process with both roles would do background work for the other one.
    const worker = await startProcess(settings);
    const server = await startProcess({ ...settings, PAYGRAPH_ROLES: 'api' });
    try {
      const sides = await makeSides(worker);
      await recordStatements(settings, worker, sides);
      await measure({ settings, server, worker, sides, options });
      return `${await describeServer(settings.DATABASE_URL)}\n\n${describe(sides, options)}`;
    } finally {
      await Promise.all([server.stop(), worker.stop()]);
    }
  });

type Side = {
  readonly count: number;
  /** Null: no rules. */
  readonly versionId: string | null;
  /** The names of the statements of an authorisation. */
  statements: readonly string[];
  /** Processor time of the server for an authorisation, in milliseconds. */
  readonly takenMs: number[];
  /** Processor time of the decision alone. */
  readonly decisionMs: number;
};

const RULE_SET = `mutation { made: createRoutingRuleSet(input: { name: "Bench" }) { routingRuleSetId } }`;
const VERSION = `mutation ($ruleSetId: ID!, $input: CreateRoutingRuleSetVersionInput!) {
  made: createRoutingRuleSetVersion(ruleSetId: $ruleSetId, input: $input) { routingRuleSetVersionId userErrors { message } } }`;
const ACTIVATE = `mutation ($versionId: ID) {
  made: activateRoutingRuleSet(input: { versionId: $versionId }) { routingActivationId userErrors { message } } }`;

async function ask(
  server: ServerProcess,
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { body } = await server.graphql<{ made: Readonly<Record<string, unknown>> }>(document, variables);
  const [id] = Object.values(body.data?.made ?? {});
  if (typeof id !== 'string') throw new Error(JSON.stringify(body));
  return id;
}

async function makeSides(server: ServerProcess): Promise<readonly Side[]> {
  const ruleSetId = await ask(server, RULE_SET);
  const sides: Side[] = [];
  for (const count of COUNTS) {
    const input = { rules: rulesOf(count) };
    const versionId = count === 0 ? null : await ask(server, VERSION, { ruleSetId, input });
    const decisionMs = count === 0 ? 0 : decisionOf(createVersionInput.parse(input).rules as readonly Rule[]);
    sides.push({ count, versionId, statements: [], takenMs: [], decisionMs });
  }
  return sides;
}

/** Makes rules that share two conditions, and whose third condition fails. Each third condition differs. Only the last rule holds. */
const rulesOf = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Rule ${index + 1}`,
    conditions: [
      { fact: { currency: ['USD', 'EUR'] } },
      { fact: { method: ['card'] } },
      ...(index === count - 1 ? [] : [{ fact: { amount: { currency: 'USD', min: 1_000_000 + index } } }]),
    ],
    action: { positions: true },
  }));

const DECISIONS = 20_000;

function decisionOf(rules: readonly Rule[]): number {
  const compiled = compileVersion({ id: 'version', ruleSetId: 'set', number: 1, rules });
  const facts = { ...PAYMENT, currency: 'USD' };
  const decideAll = (): number => {
    const before = process.cpuUsage();
    for (let nth = 0; nth < DECISIONS; nth += 1) decide(compiled, facts);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / DECISIONS;
  };
  // The first round compiles the code.
  decideAll();
  return median(Array.from({ length: 5 }, decideAll));
}

async function recordStatements(
  settings: BenchSettings,
  server: ServerProcess,
  sides: readonly Side[],
): Promise<void> {
  for (const side of sides) {
    await ask(server, ACTIVATE, { versionId: side.versionId });
    const { authorize } = await recordOperations(settings);
    side.statements = authorize.sent.map(({ name }) => name);
  }
}

type Measured = {
  readonly settings: BenchSettings;
  readonly server: ServerProcess;
  readonly worker: ServerProcess;
  readonly sides: readonly Side[];
  readonly options: BenchOptions;
};

async function measure({ settings, server, worker, sides, options }: Measured): Promise<void> {
  const { rounds, operations } = extent(options);
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % sides.length;
    // Each side is first in its turn.
    for (const side of [...sides.slice(first), ...sides.slice(0, first)]) {
      await ask(worker, ACTIVATE, { versionId: side.versionId });
      // A connection that waits for its turn would be closed.
      const lanes = await openGraphql({ url: server.url, token: worker.token });
      const { authorize } = await measureRound(lanes.run, server.pid, operations);
      await lanes.close();
      await drained(settings.DATABASE_URL);
      const ms = authorize.serverCpuMs ?? NaN;
      if (round > 0) side.takenMs.push(ms);
      options.progress(`round ${round} of ${rounds}, ${side.count} rules: ${ms.toFixed(3)} ms`);
    }
  }
}

function describe(sides: readonly Side[], options: BenchOptions): string {
  const { rounds, operations } = extent(options);
  const [none] = sides;
  const rows = sides.map(({ count, statements, takenMs, decisionMs }) => [
    String(count),
    String(statements.length),
    spread(takenMs, 3),
    (median(takenMs) - median(none?.takenMs ?? [])).toFixed(3),
    decisionMs.toFixed(4),
  ]);
  return (
    `Statements of an authorisation, and milliseconds of the server's processor for one. Each side has ${rounds} rounds of ` +
    `${operations} in turn, after one round to warm up. The figures are medians (lowest to highest). All conditions of all rules ` +
    'are asked. The decision alone is measured in this process. Wanted: no statement more, and at most 0.1 ms more.\n\n' +
    table([['rules', 'statements', 'processor time', 'more than without', 'decision alone'], ...rows])
  );
}
