import type { App } from '../../src/app.ts';
import { countChanges } from '../../src/platform/input/changes.ts';
import { acceptingOf, BEGIN_MS, MERCHANTS } from './harness.ts';
import type { Evidence, Violation } from './judge.ts';
import type { Lane } from './lane.ts';
import type { Plan } from './plan.ts';
import { createRandom } from './random.ts';
import type { Stage } from './stage.ts';
import type { OperationRow, TransactionRow } from './state.ts';

// Few histories make the payments of a minute. So a history with circuits begins with some open ones, and one failure is enough for
// a further one.

/** The time from the beginning of a history to the first trial of a service. */
const TRIES_MS = [0, 0, 0, 30_000, 3_600_000];

/** Opens the circuits with which a history begins. Returns its processes, which heed circuits. A death empties the counts. */
export async function withCircuits(
  { judge, serviceOf }: Lane,
  { seed, index, acts }: Plan,
  stage: Stage,
  apps: readonly App[],
): Promise<readonly App[]> {
  const random = createRandom(seed, index, 21);
  const openedAt = new Date(BEGIN_MS);
  const services = acts.flatMap((act) =>
    act.kind === 'create'
      ? acceptingOf(act.currency, act.intent).map((kind) => ({
          merchantAccountId: MERCHANTS[act.merchant].id,
          paymentServiceId: serviceOf(act.merchant, kind),
        }))
      : [],
  );
  const different = [...new Map(services.map((each) => [each.paymentServiceId, each])).values()];
  const data = different
    .filter(() => random.chance(0.6))
    .map((service, nth) => ({
      ...{ ...service, id: idOf(nth), version: 1, openedAt, calls: 2, failures: 2 },
      tryAgainAt: new Date(BEGIN_MS + random.pick(TRIES_MS)),
      ...{ failedTrials: random.int(0, 2), answeredTrials: random.int(0, 2) },
    }));
  await judge.prisma.paymentServiceCircuit.deleteMany({});
  await judge.prisma.paymentServiceCircuit.createMany({ data });
  return apps.map((app, process) => heeding(app, process, stage));
}

const idOf = (nth: number): string => `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`;

function heeding(app: App, process: number, stage: Stage): App {
  const config = { ...app.config, PAYGRAPH_CIRCUIT_FAILURE_PERCENT: 50, PAYGRAPH_CIRCUIT_CALLS: 1 };
  // The counts of a process belong to the object that notes its changes.
  const memories = new Map<number, App['serviceChanges']>();
  const memory = (): App['serviceChanges'] => {
    const deaths = stage.deaths[process] ?? 0;
    const known = memories.get(deaths) ?? countChanges();
    memories.set(deaths, known);
    return known;
  };
  return Object.defineProperty({ ...app, config }, 'serviceChanges', { get: memory, enumerable: true });
}

/** Returns the services that a payment had behind the others at an attempt. A service tried later was behind before. */
export function behindAt(
  { circuits }: Pick<TransactionRow, 'circuits'>,
  asked: readonly string[],
  nth: number,
): ReadonlySet<string> {
  const triedLater = (circuits?.tried ?? []).filter((id) => asked.indexOf(id) > nth);
  return new Set([...(circuits?.setBehind ?? []), ...triedLater]);
}

/**
 * Checks the effects of circuits: a payment asked each service that it tried, and none comes from nowhere. The events of a service say in
 * turn that its circuit opened and closed.
 */
export function judgeCircuits({ state, services }: Evidence): Violation[] {
  const told = Map.groupBy(
    state.feed.filter(({ target_type: type }) => type === 'payment-service'),
    (row) => row.target_id,
  );
  const wrong = [
    ...state.transactions.flatMap((row) =>
      wrongOf(row, state.operations, services).map((what) => `transaction ${row.id} ${what}`),
    ),
    ...[...told].flatMap(([id, rows]) =>
      rows.some(({ name }, nth) => name === rows[nth - 1]?.name)
        ? [`service ${id} is told as ${rows.map(({ name }) => name).join(', ')}`]
        : [],
    ),
  ];
  return wrong.map((message) => ({ kind: 'circuits', message }));
}

function wrongOf(
  { id, circuits }: TransactionRow,
  operations: readonly OperationRow[],
  services: Evidence['services'],
): readonly string[] {
  if (circuits === null) return [];
  const { setBehind, tried } = circuits;
  const asked = operations
    .filter((one) => one.transaction_id === id && one.kind === 'authorize')
    .map((one) => one.payment_service_id);
  return [
    ...tried.filter((each) => !asked.includes(each)).map((each) => `tries ${each}, and never asks it`),
    ...[...setBehind, ...tried]
      .filter((each) => !services.has(each))
      .map((each) => `has the circuit of ${each}`),
    ...(setBehind.length + tried.length === 0 ? ['has an empty effect of circuits'] : []),
    ...setBehind.filter((each) => tried.includes(each)).map((each) => `tries ${each} and sets it behind`),
  ];
}

/** Names the effects of circuits on the payments of a history, for the sums of a run. */
export const effectsOfCircuits = ({ state }: Evidence): readonly string[] => [
  ...state.feed.flatMap(({ name, target_type: type }) => (type === 'payment-service' ? [name] : [])),
  ...state.transactions.flatMap(({ circuits }) => [
    ...(circuits && circuits.setBehind.length > 0 ? ['set behind'] : []),
    ...(circuits && circuits.tried.length > 0 ? ['tried again'] : []),
  ]),
];
