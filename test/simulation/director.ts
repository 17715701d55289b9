import { overlap } from './overlap.ts';
import { advanceTo, kill, note, type Call, type Overlap, type Stage } from './stage.ts';
import { count } from './tally.ts';
import { afterStanding } from './weather.ts';

/** Creates an injected error. */
export const disconnected = (): Error =>
  Object.assign(new Error('The connection was lost.'), { injected: true });

export const isInjected = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'injected' in error;

/** Runs turns until nothing waits. Calls `interrupt` before each turn, which may start more tasks. */
export async function runTurns(stage: Stage, interrupt: (idle: boolean) => boolean): Promise<void> {
  for (;;) {
    await quiet(stage);
    const ready = stage.calls.filter(({ readyAt }) => readyAt <= stage.now);
    if (interrupt(ready.length === 0)) continue;
    if (ready.length > 0) await takeTurn(stage, stage.random.pick(ready), ready);
    else if (stage.calls.length > 0) advanceTo(stage, Math.min(...stage.calls.map(({ readyAt }) => readyAt)));
    else return;
  }
}

/** A process that neither waits for a turn nor ends is stuck on real work. */
const STUCK_MS = 60_000;

/** Waits until every task has reached a point or has ended. Only microtasks run between points. */
async function quiet(stage: Stage): Promise<void> {
  if (stage.cleanups.length > 0) await Promise.all(stage.cleanups.splice(0));
  await drained();
  for (;;) {
    const waiting = new Set(stage.calls.map(({ task }) => task));
    const busy = [...stage.tasks].filter((task) => !waiting.has(task));
    if (busy.length === 0) return;
    await woken(stage, busy.map(({ name }) => name).join(', '));
    await drained();
  }
}

const drained = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function woken(stage: Stage, who: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    stage.wake = resolve;
    timer = setTimeout(() => reject(new Error(`Stuck between two points: ${who}`)), STUCK_MS);
  });
  clearTimeout(timer);
  stage.wake = () => undefined;
}

const PAUSES_MS = [500, 5_000, 20_000, 300_000];

/** Shorter than a lease. */
const STAND_MS = 1_000;

/** Longer than several leases. */
const STALL_MS = 250_000;

async function takeTurn(stage: Stage, call: Call, ready: readonly Call[]): Promise<void> {
  const { random, weather } = stage;
  count(stage.tally, 'turns', call.point);
  if (mustDie(stage, placeOf(call, 'before'))) return kill(stage, call.task.process, placeOf(call, 'before'));
  if (mustStand(stage, placeOf(call, 'before'))) return pause(stage, call, STAND_MS);
  if (random.chance(weather.pause)) return pause(stage, call, random.pick(PAUSES_MS));
  if (call.calls && !call.hasStalled && random.chance(weather.stall)) {
    call.hasStalled = true;
    return pause(stage, call, STALL_MS);
  }
  if (isWriting(call) && random.chance(weather.overlap)) {
    const partner = partnerOf(stage, call, ready);
    if (partner) return runBoth(stage, call, partner);
  }
  remove(stage, call);
  if (call.commits && random.chance(weather.disconnect / 2)) return lose(stage, call, 'before');
  note(stage, call.task, call.point);
  const [outcome] = await Promise.allSettled([call.perform()]);
  tell(call, outcome);
  end(stage, call, outcome);
}

/** Runs two statements at once. The first transaction stays open while the second statement runs. */
async function runBoth(stage: Stage, first: Writing, second: Writing): Promise<void> {
  for (const call of [first, second]) remove(stage, call);
  note(stage, first.task, `${first.point}, held open over the next`);
  note(stage, second.task, second.point);
  count(stage.tally, 'overlaps', `${first.point} over ${second.point}`);
  const [one, other] = await overlap(first.overlap, second.overlap, stage.relay);
  tell(first, one);
  tell(second, other);
  end(stage, first, one);
  if (second.task.state === 'running') end(stage, second, other);
}

function tell(call: Call, outcome: PromiseSettledResult<unknown>): void {
  if (outcome.status === 'fulfilled') call.onDone?.(outcome.value);
}

/** Continues with the outcome of a point. Otherwise the process dies, or loses the answer, after the commit. */
function end(stage: Stage, call: Call, outcome: PromiseSettledResult<unknown>): void {
  const { random, weather } = stage;
  if (outcome.status === 'rejected') {
    note(stage, call.task, `  ${String(outcome.reason)}`);
    call.reject(outcome.reason);
  } else if (call.commits && mustDie(stage, placeOf(call, 'after'))) {
    kill(stage, call.task.process, placeOf(call, 'after'));
  } else if (call.commits && random.chance(weather.disconnect / 2)) {
    lose(stage, call, 'after');
  } else {
    call.resolve(outcome.value);
  }
}

function mustDie(stage: Stage, place: string): boolean {
  const meant = stage.weather.crashAt === place;
  if (meant) stage.weather = { ...stage.weather, crashAt: null };
  return meant || stage.random.chance(stage.weather.crash);
}

function mustStand(stage: Stage, place: string): boolean {
  const meant = stage.weather.standAt?.place === place;
  if (meant) stage.weather = afterStanding(stage.weather);
  return meant;
}

function pause(stage: Stage, call: Call, ms: number): void {
  call.readyAt = stage.now + ms;
  count(stage.tally, 'pauses', placeOf(call, 'before'));
  note(stage, call.task, `stands still before ${call.point} for ${ms} ms`);
}

function lose(stage: Stage, call: Call, side: 'before' | 'after'): void {
  const place = placeOf(call, side);
  count(stage.tally, 'lost database connections', place);
  note(stage, call.task, `loses its connection ${place}`);
  call.reject(disconnected());
}

/** Names the place of a point. A commit has two sides, a failpoint has none. */
const placeOf = ({ commits, point }: Call, side: 'before' | 'after'): string =>
  commits ? `${side} ${point}` : `at ${point}`;

const remove = (stage: Stage, call: Call): void => void stage.calls.splice(stage.calls.indexOf(call), 1);

type Writing = Call & { readonly overlap: Overlap };

const isWriting = (call: Call): call is Writing => call.overlap?.writes === true;

function partnerOf(stage: Stage, call: Call, ready: readonly Call[]): Writing | null {
  const fit = ready.filter(isWriting).filter((other) => other !== call);
  return fit.length === 0 ? null : stage.random.pick(fit);
}
