import { createHash } from 'node:crypto';
import { relayOnce } from '../../src/modules/events/index.ts';
import { moveBatch } from '../../src/modules/events/log/relay.sql.ts';
import { projectOnce } from '../../src/modules/reports/index.ts';
import {
  applyDueReviews,
  applyDueWebhooks,
  lookUpDue,
  reconcileDue,
} from '../../src/modules/transactions/index.ts';
import { RETENTION_MS } from '../../src/modules/transactions/notices/schedule.ts';
import { expireApprovals } from '../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import type { App } from '../../src/app.ts';
import {
  acceptDispute,
  listDisputes,
  sendDueResponses,
  submitDisputeEvidence,
} from '../../src/modules/disputes/index.ts';
import { describeAct, mayHavePage, type Act } from './acts.ts';
import { withOwnBounds } from './another.ts';
import { effectsOfCircuits, withCircuits } from './circuits.ts';
import { createClient, type Client } from './client.ts';
import { isInjected, runTurns } from './director.ts';
import { resolveByHand, type Hands } from './hands.ts';
import { judge, type Violation } from './judge.ts';
import { endsOfRules } from './judge-rules.ts';
import { BEGIN_MS, chainOf, JUDGED, MERCHANTS, ONLY_NAMING, SKEW_MS_MAX } from './harness.ts';
import type { Lane } from './lane.ts';
import { tell, type Teller } from './notices.ts';
import { describePlan, PROCESSES, type Plan } from './plan.ts';
import { report } from './reports.ts';
import { readProgress, type Progress } from './progress.ts';
import { inOurIds } from './books.ts';
import { actByHand, type Handling } from './elsewhere/hand.ts';
import { inOurNames } from './elsewhere/judge.ts';
import { sweep, type Swept } from './elsewhere/sweep.ts';
import { createProvider, deliverLate } from './provider.ts';
import { answerResponse, quarrel, type Quarrelling } from './quarrels.ts';
import { deliver } from './real/webhooks.ts';
import { createRandom } from './random.ts';
import { askAgain } from './repeats.ts';
import { advanceTo, begin, createStage, note, type Stage } from './stage.ts';
import { headsAfter, readState, type TransactionRow } from './state.ts';
import { takeBack, takeRest, type Takers } from './take-backs.ts';
import { count, type Tally } from './tally.ts';
import { calmed } from './weather.ts';

/** The result of a history. */
export type History = {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  /** The events of the history, line by line. */
  readonly trace: readonly string[];
  readonly tally: Tally;
};

/** The environment of a history. Its processes may have seeded mistakes. */
type Scenery = {
  readonly lane: Lane;
  readonly apps: readonly App[];
  readonly stage: Stage;
  /** True if some buyer may need a page. */
  readonly hasPages: boolean;
  /** The sender of review notices. Null without anti-fraud checks. */
  readonly teller: Teller | null;
  /** The providers as senders of webhooks about successes that they take back. */
  readonly takers: Takers;
  /** The hands at the providers. */
  readonly handling: Handling;
  /** The providers as parties of disputes. */
  readonly quarrelling: Quarrelling;
  /** True if payment providers send webhooks. */
  readonly hears: boolean;
  /** True if the webhooks only name a payment. */
  readonly looksUp: boolean;
  /** The payment services to sweep. None without a hand at the providers. */
  readonly swept: readonly Swept[];
};

/**
 * The most visits of a person. A redemption resolved by hand may let a payment continue, whose outcome or reversal is
 * unknown again.
 */
const VISITS_MAX = 4;

const RELAYS_MAX = 5;

/** Moves one batch of events into the feed, if no relay of the history is doing so. */
const relayBatch = ({ db, clock }: App): Promise<void> =>
  insist(() => moveBatch(db, { limit: RELAYED_MAX, now: clock.now(), deadline: clock.now() }));

const RELAYED_MAX = 500;

/** Runs the relay and the reports until nothing is left, as their loops do. */
const relayAll = (app: App): Promise<void> =>
  insist(async () => {
    while (await relayOnce(app));
    while (await projectOnce(app));
  });

/** Tries work again, as loops do. A process that really stood still for half a second has lost its connection. */
async function insist(work: () => Promise<unknown>, attempt = 1): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (attempt === RELAYS_MAX) throw error;
    await insist(work, attempt + 1);
  }
}

/**
 * Plays a plan: the storm, the calm phase, a person's work, and the judgement.
 *
 * Seed and index determine all randomness, so a plan always runs the same way. A lane plays one history at a time. A
 * history with violations spoils its lane.
 */
export async function runHistory(lane: Lane, plan: Plan, given = lane.apps): Promise<History> {
  const stage = createStage(createRandom(plan.seed, plan.index, 2), plan.weather);
  const apps = plan.circuits ? await withCircuits(lane, plan, stage, given) : given;
  const provider = createProvider(stage, {
    decided: (entry) => report(takers, entry),
    responded: (question) => answerResponse(quarrelling, question),
    owed: (address, webhook) => deliver(takers, address, webhook),
  });
  count(stage.tally, 'histories by provider', plan.real ?? 'sandbox');
  lane.scene = { stage, provider };
  stage.relay = () => relayBatch(apps[0] as App);
  const hasPages = plan.acts.some((act) => act.kind === 'create' && mayHavePage(act));
  const isJudged = plan.acts.some((act) => act.kind === 'create' && act.merchant === JUDGED);
  const { checks } = provider.books;
  const teller: Teller | null = isJudged ? { stage, apps, token: lane.noticesTo, checks, taken: [] } : null;
  const { books, decideAtPage } = provider;
  const { webhooksTo } = lane;
  const takers: Takers = { stage, apps, books, webhooksTo, sent: [], waiting: [] };
  const { byHand } = provider;
  const handling: Handling = { ...takers, real: plan.real, byHand };
  const quarrelling: Quarrelling = { ...takers, quarrels: [] };
  const hears = plan.weather.report > 0 || plan.acts.some(({ kind }) => /take back|by hand/.test(kind));
  const swept = sweptOf(lane, plan);
  const looksUp = ONLY_NAMING.has(plan.real ?? '');
  const parties = { teller, takers, handling, quarrelling };
  const scenery = { lane, apps, stage, hasPages, ...parties, hears, looksUp, swept };
  const { viewers, serviceOf } = lane;
  const client = createClient({ stage, viewers, apps, acts: plan.acts, books, decideAtPage, serviceOf });
  const keys = [...new Set(plan.acts.flatMap((act) => ('key' in act && act.key !== null ? [act.key] : [])))];
  await storm(scenery, plan, client);
  let progress = await calm(scenery, keys);
  deliverLate(stage, provider.books);
  // Late work is reported by webhook too.
  while (stage.tasks.size > 0 || stage.later.length > 0) {
    progress = await calm(scenery, keys);
    deliverLate(stage, provider.books);
  }
  const hands: Hands[] = [];
  while (progress.pending.length > 0 && hands.length < VISITS_MAX) {
    hands.push(await resolveByHand(lane, apps, stage, provider.written));
    progress = await readProgress(lane, keys);
    // A resolved operation may let another one continue.
    if (progress.pending.length > 0 || progress.parked > 0) progress = await calm(scenery, keys);
  }
  if (progress.noted > 0) stage.surprises.push('a payment that a webhook named was never looked up');
  await relayAll(apps[0] as App);
  const before = provider.arrived.count;
  const repeats = await askAgain(client, progress.used);
  const state = await readState(lane, stage.uuids, keys);
  const evidence = {
    state,
    heads: lane.heads,
    books: inOurNames(inOurIds(provider.written(), state.operations), state),
    ...{ services: lane.services, serviceOf, versions: lane.versions },
    exchanges: client.exchanges,
    repeats,
    callsByRepeats: provider.arrived.count - before,
    surprises: stage.surprises,
    commits: stage.commits,
    taken: teller?.taken ?? [],
    quarrels: quarrelling.quarrels,
    sent: takers.sent,
    resolved: new Set(hands.flatMap(({ resolved }) => [...resolved])),
    pending: progress.pending.map(({ id, kind }) => `${kind} ${id}`),
  };
  const found = judge(evidence);
  lane.heads = headsAfter(lane.heads, state);
  lane.scene = null;
  count(stage.tally, 'effects', 'operations', state.operations.length);
  count(stage.tally, 'effects', 'events', state.feed.length);
  count(stage.tally, 'effects', 'history entries', state.history.length);
  count(stage.tally, 'effects', 'repeats', repeats.length);
  count(stage.tally, 'effects', 'payments with splits', state.transactions.filter(hasSplits).length);
  for (const end of endsOfRules(evidence)) count(stage.tally, 'ends of rules', end);
  for (const effect of effectsOfCircuits(evidence)) count(stage.tally, 'effects of circuits', effect);
  for (const row of state.webhooks) count(stage.tally, 'ends of webhooks', row.state);
  const violations = [...hands.flatMap((visit) => visit.violations), ...found];
  return { plan, violations, trace: stage.trace, tally: stage.tally };
}

const hasSplits = ({ splits }: TransactionRow): boolean => splits !== null;

async function storm(scenery: Scenery, { acts, rounds }: Plan, client: Client): Promise<void> {
  const { stage } = scenery;
  let next = 0;
  await runTurns(stage, (idle) => {
    const round = rounds[next];
    if (!round) return false;
    const nobody = stage.calls.length === 0;
    // No request is under way for longer than its caller waits.
    if (round.waitMs > LONG_MS && stage.calls.some(({ calls }) => calls === true)) return false;
    // A new round starts when nothing can continue by itself, and sometimes before.
    if (!nobody && !stage.random.chance(idle ? 0.6 : stage.weather.hurry)) return false;
    next += 1;
    advanceTo(stage, stage.now + round.waitMs);
    for (const number of round.acts) play(scenery, client, number, acts[number] as Act);
    return true;
  });
}

const LONG_MS = 66_000;

function play(scenery: Scenery, client: Client, number: number, act: Act): void {
  const { stage } = scenery;
  count(stage.tally, 'acts', act.kind);
  if (act.kind === 'reconcile') {
    if (scenery.looksUp) lookUp(scenery, act.process, `#${number} look up`);
    return reconcile(scenery, act.process, `#${number} reconcile`);
  }
  if (act.kind === 'relay') {
    inBackground(scenery, act.process, `#${number} relay`, relayOnce);
    return inBackground(scenery, act.process, `#${number} reports`, projectOnce);
  }
  if (act.kind === 'expire') return expire(scenery, act.process, `#${number} expire`);
  if (act.kind === 'apply') return apply(scenery, act.process, `#${number} apply`);
  if (act.kind === 'hear') return hear(scenery, act.process, `#${number} hear`);
  if (act.kind === 'sweep') return sweepIn(scenery, act.process, `#${number} sweep`);
  if (act.kind === 'by hand') return actByHand(scenery.handling, { number, process: act.process }, act);
  if (act.kind === 'dispute') return quarrel(scenery.quarrelling, act);
  if (act.kind === 'respond') return respond(scenery, client, number, act);
  if (act.kind === 'send responses') return sendResponses(scenery, act.process, `#${number} send responses`);
  if (act.kind === 'take back') return takeBack(scenery.takers, { number, process: act.process }, act);
  if (act.kind === 'tell') {
    note(stage, 'third party', `#${number} ${describeAct(act)}`);
    const { process, of } = act;
    if (scenery.teller)
      tell(scenery.teller, { number, process, transactionId: client.transactionOf(of) }, act);
    return;
  }
  if (act.kind !== 'skew') return client.act(number);
  note(stage, `p${act.process}`, describeAct(act));
  stage.skewsMs[act.process] = act.ms;
}

const reconcile: Chore = (scenery, process, name) => inBackground(scenery, process, name, reconcileDue);

/** Applies the stored notices of the anti-fraud service. */
const apply: Chore = (scenery, process, name) => inBackground(scenery, process, name, applyDueReviews);

/** Applies the stored webhooks of the payment providers. */
const hear: Chore = (scenery, process, name) => inBackground(scenery, process, name, applyDueWebhooks);

/** Looks up the payments that webhooks named, and that nobody has asked about since. */
const lookUp: Chore = (scenery, process, name) =>
  inBackground(scenery, process, name, async (app) => {
    const { stage } = scenery;
    if (await lookUpDue(withOwnBounds(stage, app, process))) count(stage.tally, 'rounds', 'look-ups');
  });

/** Compares open payments with the books of their providers. */
const sweepIn: Chore = (scenery, process, name) =>
  inBackground(scenery, process, name, (app) => sweep(app, scenery.stage, scenery.swept));

/** Lists the payment services that the payments of a plan may use. None without a hand at the providers. */
function sweptOf({ serviceOf }: Lane, { acts }: Plan): readonly Swept[] {
  if (!acts.some(({ kind }) => kind === 'by hand')) return [];
  const services = acts.flatMap((act) =>
    act.kind === 'create'
      ? chainOf(act.currency).map((kind) => ({
          merchantAccountId: MERCHANTS[act.merchant].id,
          paymentServiceId: serviceOf(act.merchant, kind),
        }))
      : [],
  );
  return [...new Map(services.map((one) => [one.paymentServiceId, one])).values()];
}

/** Sends responses to disputes that have no clear answer again. */
const sendResponses: Chore = (scenery, process, name) =>
  inBackground(scenery, process, name, sendDueResponses);

/** Lets a merchant respond to the latest dispute of a payment that needs a response. */
function respond(scenery: Scenery, client: Client, number: number, { process, by, of }: RespondAct): void {
  const transactionId = client.transactionOf(of);
  const viewer = client.viewerOf(of);
  inBackground(scenery, process, `#${number} respond`, async (app) => {
    const filter = { status: ['needs_response'], transactionId };
    const listed = transactionId && (await listDisputes(app, viewer, FIRST_PAGE, filter));
    const [latest] = listed && listed.ok ? listed.value.items : [];
    if (!latest) return;
    // Two acts of one round may have one key.
    const key = number % 2 === 0 ? `${latest.id} ${by}` : null;
    const heard =
      by === 'acceptance'
        ? await acceptDispute(app, viewer, latest.id, key)
        : await submitDisputeEvidence(app, viewer, latest.id, EVIDENCE, key);
    const word = heard.ok ? heard.value.response.status : heard.refusals[0].kind;
    count(scenery.stage.tally, 'answers', `${by} ${word}`);
    note(scenery.stage, 'client', `#${number} hears ${word}`);
  });
}

const FIRST_PAGE = { direction: 'forward', limit: 1, cursor: null } as const;
const EVIDENCE = { texts: [{ kind: 'customer_communication', text: 'The buyer has the goods.' }] };

/** Expires the buyers without a decision. */
const expire: Chore = (scenery, process, name) =>
  inBackground(scenery, process, name, ({ db, clock }) => expireApprovals(db, clock.now()));

/** The background work of a process. */
type RespondAct = Extract<Act, { readonly kind: 'respond' }>;

type Chore = (scenery: Scenery, process: number, name: string) => void;

function inBackground(
  { stage, apps }: Scenery,
  process: number,
  name: string,
  run: (app: App) => Promise<unknown>,
): void {
  begin(
    stage,
    process,
    name,
    unsurprised(stage, () => run(apps[process] as App)),
  );
}

/** Accepts injected errors. Records any other error. */
const unsurprised =
  (stage: Stage, run: () => Promise<unknown>): (() => Promise<unknown>) =>
  () =>
    run().catch((error: unknown) => {
      if (!isInjected(error)) stage.surprises.push(`in the background: ${String(error)}`);
    });

/**
 * The waits of the calm phase. Everything discoverable must be settled by their end. They take a day and a half
 * and grow. Some short ones cover the consequences of the last settle.
 */
const CALM_WAITS_MS = [
  ...[70_000, 70_000, 300_000, 900_000, 3_700_000, 3_700_000, 8_000_000, 23_000_000, 86_400_000],
  ...[70_000, 70_000, 300_000],
  // A webhook that waited for the end of an operation is due within an hour.
  ...[3_700_000, 70_000],
];

/**
 * Ends the storm and releases stopped drivers. Then reconciles until all operations have ended or have been given up.
 */
async function calm(scenery: Scenery, keys: readonly string[]): Promise<Progress> {
  const { stage } = scenery;
  note(stage, 'weather', 'calm');
  stage.weather = calmed(stage.weather);
  let progress: Progress = { pending: [], awaited: 0, parked: 0, noted: 0, responses: 0, used: [] };
  for (const waitMs of CALM_WAITS_MS) {
    progress = await lookAfter(scenery, keys, waitMs);
    // A provider may take back what was settled last.
    if (isCalm(progress) && !takeRest(scenery.takers)) break;
  }
  // Late webhooks may have opened a difference that the books no longer show.
  for (let more = scenery.swept.length > 0 ? LAST_LOOKS : 0; more > 0; more -= 1)
    progress = await lookAfter(scenery, keys, SHORT_MS);
  // The clock of the last look may be ahead of all others. A report about what nobody ever told waits for a week.
  if (progress.parked > 0) {
    for (const waitMs of LAST_WAITS_MS)
      if (!isCalm(progress)) progress = await lookAfter(scenery, keys, waitMs);
  }
  // A late webhook may have given a provider more time to decide.
  for (let more = 0; more < WINDOWS_AT_MOST; more += 1) {
    const untilMs = Math.max(...progress.pending.map((one) => one.decision_until?.getTime() ?? 0));
    const waitMs = untilMs - BEGIN_MS - stage.now;
    if (waitMs <= 0) break;
    progress = await lookAfter(scenery, keys, waitMs + SKEW_MS_MAX);
  }
  return progress;
}

const WINDOWS_AT_MOST = 3;
const SHORT_MS = 70_000;

const LAST_WAITS_MS = [
  ...[2 * SKEW_MS_MAX, SHORT_MS, RETENTION_MS],
  // The consequences of what ended last.
  ...[SHORT_MS, 300_000, 900_000, 3_700_000],
];

/** One look may end by the planned death of its process. */
const LAST_LOOKS = 3;

const isCalm = ({ awaited, parked, noted, responses, pending }: Progress): boolean =>
  awaited + parked + noted + responses === 0 && pending.every((one) => one.next_attempt_at === null);

/** Lets the background work of some process run after a wait. Reads the work that is left. */
async function lookAfter(scenery: Scenery, keys: readonly string[], waitMs: number): Promise<Progress> {
  const { lane, stage } = scenery;
  // The first run may start while others still stand still. These come late.
  if (stage.calls.length === 0 || stage.random.chance(0.5)) {
    advanceTo(stage, stage.now + waitMs);
    if (scenery.hasPages) expire(scenery, stage.random.int(0, PROCESSES - 1), 'expire');
    if (scenery.teller) apply(scenery, stage.random.int(0, PROCESSES - 1), 'apply');
    if (scenery.swept.length > 0) sweepIn(scenery, stage.random.int(0, PROCESSES - 1), 'sweep');
    if (scenery.hears) hear(scenery, stage.random.int(0, PROCESSES - 1), 'hear');
    if (scenery.looksUp) lookUp(scenery, stage.random.int(0, PROCESSES - 1), 'look up');
    if (scenery.quarrelling.quarrels.length > 0)
      sendResponses(scenery, stage.random.int(0, PROCESSES - 1), 'send responses');
    reconcile(scenery, stage.random.int(0, PROCESSES - 1), 'reconcile');
  }
  await runTurns(stage, () => false);
  const progress = await readProgress(lane, keys);
  if (!scenery.hears || progress.pending.length === 0) return progress;
  await hearAlone(scenery);
  return readProgress(lane, keys);
}

/** A webhook that met a busy operation is due again after this time. */
const BUSY_MS = 2_000;

/** Lets webhooks go on that met a busy operation, while nobody asks about it. */
async function hearAlone(scenery: Scenery): Promise<void> {
  const { stage } = scenery;
  advanceTo(stage, stage.now + BUSY_MS);
  for (let process = 0; process < PROCESSES; process += 1) hear(scenery, process, 'hear');
  await runTurns(stage, () => false);
}

/** Returns a short digest of a history. A replay has the same digest. */
export const digestOf = ({ trace }: History): string =>
  createHash('sha256').update(trace.join('\n')).digest('hex').slice(0, 16);

/** Describes a history: its plan, its events, and its violations. */
export const describeHistory = (history: History): string =>
  [
    ...describePlan(history.plan),
    '',
    ...history.trace,
    `digest ${digestOf(history)}`,
    '',
    ...history.violations.map(({ kind, message }) => `VIOLATION (${kind}) ${message}`),
  ].join('\n');
