import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, Statement } from '../../src/platform/db.ts';
import type { Random } from './random.ts';
import { count, type Tally } from './tally.ts';
import type { Weather } from './weather.ts';

/** Something under way in a process: a request, a round of reconciliation, a round of the relay. */
export type Task = {
  readonly name: string;
  readonly process: number;
  state: 'running' | 'done' | 'dead';
  /** Called when its process dies. */
  readonly lost: () => void;
  /** Database transactions that end with the process. */
  readonly open: Set<OpenTransaction>;
};

export type OpenTransaction = { rollBack(): Promise<void> };

/** Code that has come to a point and waits for its turn. */
export type Call = {
  readonly task: Task;
  readonly point: string;
  /** Simulated time before which it does not get its turn. */
  readyAt: number;
  /** It has stood still here for long, which happens once. */
  hasStalled?: boolean;
  /** What happens at the point, and then the code goes on with what came of it. */
  readonly perform: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
} & Kind;

/** What is special about a call. */
export type Kind = {
  /** It commits by itself: it may be lost on either side of its commit. */
  readonly commits?: boolean;
  /** It is a call of the provider. */
  readonly calls?: boolean;
  /** It may be run inside a transaction that is held open while another runs. */
  readonly overlap?: Overlap;
  /** Told of what came of it, in the order of the commits. */
  readonly onDone?: (value: unknown) => void;
  /** What is left behind when its process dies while it waits. The answer lets go of what is held here; nobody reads it. */
  readonly leaveBehind?: () => unknown;
};

/** A statement that commits by itself, and the pool that it runs on. */
export type Overlap = { readonly db: Db; readonly statement: Statement; readonly writes: boolean };

/** An operation that a statement has claimed or settled. */
export type Commit = {
  readonly statement: string;
  /** The name of the task whose statement it was. */
  readonly task: string;
  readonly operationId: string;
  readonly transactionId: string;
};

/** One history under way: time, who waits for a turn, and what has happened. */
export type Stage = {
  readonly random: Random;
  weather: Weather;
  /** Milliseconds since the beginning of the history. */
  now: number;
  readonly skewsMs: number[];
  readonly calls: Call[];
  readonly tasks: Set<Task>;
  /** What happens by itself at its time, outside of our processes. */
  readonly later: { readonly at: number; readonly run: () => void }[];
  /** Work that must end before the next turn. */
  readonly cleanups: Promise<void>[];
  readonly trace: string[];
  readonly tally: Tally;
  /** What was committed to operations, in that order. */
  readonly commits: Commit[];
  /** Every id that was given out. */
  readonly uuids: string[];
  /** Errors that nobody injected. */
  readonly surprises: string[];
  /** Wakes the director when code that was doing something else has come to a point. */
  wake: () => void;
};

export const createStage = (random: Random, weather: Weather): Stage => ({
  random,
  weather,
  now: 0,
  skewsMs: [...weather.skewsMs],
  calls: [],
  tasks: new Set(),
  later: [],
  cleanups: [],
  trace: [],
  tally: new Map(),
  commits: [],
  uuids: [],
  surprises: [],
  wake: () => undefined,
});

const scenes = new AsyncLocalStorage<{ readonly stage: Stage; readonly task: Task }>();

/** The task that runs this code; null outside of a history, where everything happens at once. */
export const currentTask = (): Task | null => scenes.getStore()?.task ?? null;

/** Begins a task: runs until its first point. `lost` is called when its process dies before it has ended. */
export function begin(
  stage: Stage,
  process: number,
  name: string,
  run: () => Promise<unknown>,
  lost: () => void = () => undefined,
): void {
  const task: Task = { name, process, state: 'running', lost, open: new Set() };
  stage.tasks.add(task);
  void scenes.run({ stage, task }, run).finally(() => {
    if (task.state === 'running') task.state = 'done';
    stage.tasks.delete(task);
    stage.wake();
  });
}

/** Comes to a point: waits for a turn, or for ever when the process has died. */
export function pass<Value>(
  point: string,
  perform: () => Promise<Value>,
  { delayMs = 0, ...kind }: Kind & { readonly delayMs?: number } = {},
): Promise<Value> {
  const scene = scenes.getStore();
  if (!scene) return perform();
  const { stage, task } = scene;
  if (task.state === 'dead') return new Promise(() => undefined);
  return new Promise<Value>((resolve, reject) => {
    const readyAt = stage.now + delayMs;
    // What `perform` answers is what `resolve` takes.
    const goOn = resolve as (value: unknown) => void;
    stage.calls.push({ task, point, readyAt, perform, resolve: goOn, reject, ...kind });
    stage.wake();
  });
}

/** Writes a line of the history. */
export function note(stage: Stage, who: Task | string, what: string): void {
  const name = typeof who === 'string' ? who : `p${who.process} ${who.name}`;
  stage.trace.push(`${String(stage.now).padStart(9)} ${name}: ${what}`);
}

/** Ends a process at once: its tasks never go on, its transactions are rolled back. It is there again immediately. */
export function kill(stage: Stage, process: number, point: string): void {
  note(stage, `p${process}`, `dies ${point}`);
  count(stage.tally, 'crashes', point);
  const dead = [...stage.tasks].filter((task) => task.process === process);
  for (const task of dead) {
    task.state = 'dead';
    stage.tasks.delete(task);
    for (const open of task.open) stage.cleanups.push(open.rollBack());
  }
  const left = stage.calls.filter(({ task }) => task.state === 'dead');
  stage.calls.splice(0, Infinity, ...stage.calls.filter(({ task }) => task.state !== 'dead'));
  for (const call of left) if (call.leaveBehind) call.resolve(call.leaveBehind());
  for (const task of dead) task.lost();
}

/** Moves time on; what is due by itself happens on the way. */
export function advanceTo(stage: Stage, at: number): void {
  for (;;) {
    const [next] = stage.later.toSorted((a, b) => a.at - b.at);
    if (!next || next.at > at) break;
    stage.later.splice(stage.later.indexOf(next), 1);
    stage.now = Math.max(stage.now, next.at);
    next.run();
  }
  stage.now = Math.max(stage.now, at);
}
