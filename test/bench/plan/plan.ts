import { KEY_DAYS } from '../../../src/modules/idempotency/index.ts';
import { parseConfig } from '../../../src/platform/process/config.ts';
import type { RunBench } from '../benches.ts';
import { table } from '../results.ts';
import type { OfPayment } from './costs.ts';
import { extentOf, measurePayments, measureRelay, type Memory } from './measure.ts';
import { ASSUMED, endsOf, perDayOf, planFor, type Days, type End, type Plan } from './reckon.ts';

export const PER_DAY = [10_000, 100_000, 1_000_000, 10_000_000];

const { PAYGRAPH_EVENT_RETENTION_DAYS, PAYGRAPH_AUDIT_RETENTION_DAYS } = parseConfig({});

/** The defaults of an installation. */
export const DAYS: Days = {
  events: PAYGRAPH_EVENT_RETENTION_DAYS ?? Infinity,
  keys: KEY_DAYS,
  audit: PAYGRAPH_AUDIT_RETENTION_DAYS ?? Infinity,
};

/** Measures one payment, and reckons from it the machines and the space for payments a day. */
export const runPlan: RunBench = async (options) => {
  const { ofPayment, memory } = await measurePayments(options);
  const relayed = await measureRelay(options);
  const plans = PER_DAY.map((perDay) => planFor(perDay, ofPayment, DAYS));
  const { payments } = extentOf(options);
  return [
    `One payment, authorised and captured, with one webhook for each of its ${ofPayment.events.toFixed(1)} events. The mean of ` +
      `${number(payments)} payments, after a checkpoint and a warm-up. Reads are not in these figures.`,
    describePayment(ofPayment, memory, relayed),
    'The assumptions:',
    describeAssumptions(),
    'The plan:',
    describePlans(plans),
    'The end of one Postgres:',
    describeEnds(endsOf(ofPayment, relayed), ofPayment),
  ].join('\n\n');
};

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });
const kb = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} kB`;
const gb = (value: number): string => `${value < 10 ? value.toFixed(1) : number(value)} GB`;

function describePayment(of: OfPayment, { apiMb, workerMb }: Memory, relayed: number): string {
  const { ever, events, keys, audit } = of.diskBytes;
  return table([
    ['cost of a payment', 'measured'],
    ['processor time of the role `api`', `${of.apiMs.toFixed(2)} ms`],
    ['processor time of the role `worker`', `${of.workerMs.toFixed(2)} ms`],
    ['processor time of Postgres', `${of.postgresMs.toFixed(2)} ms`],
    ['log of Postgres (WAL)', kb(of.walBytes)],
    [`log of each of ${of.wal.few.payments} payments after a checkpoint`, kb(of.wal.few.bytesEach)],
    ['log from one checkpoint to the next at rest', kb(of.wal.atRest)],
    ['disk for ever', kb(ever)],
    [`disk for ${DAYS.events} days: events and deliveries`, kb(events)],
    [`disk for ${DAYS.keys} days: idempotency keys`, kb(keys)],
    [`disk for ${DAYS.audit} days: the audit log`, kb(audit)],
    ['most memory of a process `api`, of a process `worker`', `${number(apiMb)} MB, ${number(workerMb)} MB`],
    ['events a second through the relay', number(relayed)],
  ]);
}

export const describeAssumptions = (): string =>
  table([
    ['assumption', 'value'],
    ["payments of the busiest second, as a multiple of the day's mean", String(ASSUMED.peakFactor)],
    ['share of its time that a core is busy in that second, at most', `${ASSUMED.busy * 100} %`],
    ['processes of each role, at least', String(ASSUMED.processesMin)],
    [
      'what Postgres keeps in memory',
      `the rows and indexes of ${ASSUMED.daysInMemory} day, at least ${ASSUMED.memoryMinGb} GB`,
    ],
    ['seconds between two checkpoints of Postgres', String(ASSUMED.checkpointSeconds)],
    ['cores of the largest machine for Postgres', String(ASSUMED.coresMax)],
  ]);

const PLAN_HEAD = [
  'payments a day',
  'in the busiest second',
  'processes `api`',
  'processes `worker`',
  'cores of Postgres',
  'memory of Postgres',
  'WAL a day',
  'disk after a year',
  'disk each further year',
];

const describePlans = (plans: readonly Plan[]): string =>
  table([
    PLAN_HEAD,
    ...plans.map((plan) => [
      ...[number(plan.perDay), plan.perSecond < 10 ? plan.perSecond.toFixed(1) : number(plan.perSecond)],
      ...[number(plan.apis), number(plan.workers), number(plan.cores), gb(plan.memoryGb)],
      ...[gb(plan.walGbPerDay), gb(plan.diskGb), gb(plan.furtherGb)],
    ]),
  ]);

const describeEnds = (ends: readonly End[], { walBytes }: OfPayment): string =>
  table([
    ['part that ends first', 'payments a second', 'payments a day', 'WAL at that rate'],
    ...ends.map(({ part, perSecond }) => [
      ...[part, number(perSecond), number(perDayOf(perSecond))],
      `${number((perSecond * walBytes) / 1e6)} MB a second`,
    ]),
  ]);
