import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import type { Random } from './random.ts';
import { count, type Tally } from './tally.ts';
import type { Weather } from './weather.ts';

/** A task in a process: a request, a round of reconciliation, or a round of the relay. */
export type Task = {
  readonly name: string;
  readonly process: number;
  state: 'running' | 'done' | 'dead';
  /** Called at the death of the process. */
  readonly lost: () => void;
  /** Database transactions that end with the process. */
  readonly open: Set<OpenTransaction>;
};

export type OpenTransaction = { rollBack(): Promise<void> };

/** Code that has reached a point and waits for its turn. */
export type Call = {
  readonly task: Task;
  readonly point: string;
  /** The earliest simulated time of its turn. */
  readyAt: number;
  /** True after a long pause here. A call pauses at most once. */
  hasStalled?: boolean;
  /** Runs the work of the point. The code then continues with the result. */
  readonly perform: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
} & Kind;

/** The special features of a call. */
export type Kind = {
  /** True for a statement with its own commit. The answer may be lost on either side of the commit. */
  readonly commits?: boolean;
  /** True for a call of the provider. */
  readonly calls?: boolean;
  /** A statement that may run inside a transaction that stays open while another statement runs. */
  readonly overlap?: Overlap;
  /** Receives the result, in the order of the commits. */
  readonly onDone?: (value: unknown) => void;
  /** Runs when the process dies during the wait. The returned value releases resources, and no code reads it. */
  readonly leaveBehind?: () => unknown;
};

/** A statement with its own commit, and its pool. */
export type Overlap = { readonly db: Db; readonly statement: Statement; readonly writes: boolean };

/** An operation that a statement has claimed or settled. */
export type Commit = {
  readonly statement: string;
  /** The name of the task that ran the statement. */
  readonly task: string;
  readonly operationId: string;
  readonly transactionId: string;
  /** The rows of the operation and the transaction after an outcome. */
  readonly written?: unknown;
};

/** The state of a running history: time, waiting calls, and past events. */
export type Stage = {
  readonly random: Random;
  weather: Weather;
  /** Milliseconds since the beginning of the history. */
  now: number;
  readonly skewsMs: number[];
  /** The number of deaths of each process. */
  readonly deaths: number[];
  readonly calls: Call[];
  readonly tasks: Set<Task>;
  /** Timed events outside of our processes. */
  readonly later: { readonly at: number; readonly run: () => void }[];
  /** Work that must end before the next turn. */
  readonly cleanups: Promise<void>[];
  readonly trace: string[];
  readonly tally: Tally;
  /** Commits of operations, in order. */
  readonly commits: Commit[];
  /** Every created id. */
  readonly uuids: string[];
  /** Errors that were not injected. */
  readonly surprises: string[];
  /** Wakes the director when busy code has reached a point. */
  wake: () => void;
  /** Moves committed events into the feed, between two statements that overlap. */
  relay: () => Promise<unknown>;
};

export const createStage = (random: Random, weather: Weather): Stage => ({
  random,
  weather,
  now: 0,
  skewsMs: [...weather.skewsMs],
  deaths: weather.skewsMs.map(() => 0),
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
  relay: async () => undefined,
});

const scenes = new AsyncLocalStorage<{ readonly stage: Stage; readonly task: Task }>();

/** Returns the task that runs this code. Null outside of a history, where no code waits for a turn. */
export const currentTask = (): Task | null => scenes.getStore()?.task ?? null;

/** Starts a task and runs it to its first point. Calls `lost` if its process dies before its end. */
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

/** Reaches a point: waits for a turn, or for ever when the process has died. */
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
    // The result of `perform` has the type that `resolve` takes.
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

/**
 * Kills a process: its tasks never continue, and its transactions are rolled back. The process restarts immediately.
 */
export function kill(stage: Stage, process: number, point: string): void {
  note(stage, `p${process}`, `dies ${point}`);
  count(stage.tally, 'crashes', point);
  stage.deaths[process] = (stage.deaths[process] ?? 0) + 1;
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

/** Advances the time and runs the timed events on the way. */
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
