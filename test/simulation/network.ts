import { NO_TIMING, type HttpClient, type HttpFailure } from '../../src/platform/http/http-client.ts';
import type { Served } from './books.ts';
import type { Fault } from './faults.ts';
import { LATE_MS_MAX } from './harness.ts';
import { currentTask, note, pass, type Stage } from './stage.ts';
import { count } from './tally.ts';

export type Answer = Awaited<ReturnType<HttpClient['send']>>;

/** The faults that a provider takes part in: it answers with an error, or the network spoils the answer. */
export type Spoilt = (typeof SPOILT)[number];

const SPOILT = [
  '500 after the work',
  '503 without the work',
  'nonsense after the work',
  'approval of other money',
] as const satisfies readonly Fault[];

const isSpoilt = (fault: Fault | null): fault is Spoilt => SPOILT.some((one) => one === fault);

/** A request under way, its receiver, and its possible faults. */
export type Journey = {
  readonly stage: Stage;
  /** The verb, such as `authorize`, and the key. */
  readonly verb: string;
  readonly key: string | undefined;
  readonly deadlineMs: number;
  /** The probability of a fault. */
  readonly chance: number;
  /** True if the network may deliver the request twice. */
  readonly mayRepeat: boolean;
  /** True for a look-up. A look-up changes nothing, and is never heard after its caller has gone. */
  readonly isQuestion: boolean;
  /** Delivers the request, and returns the answer with this fault. */
  readonly arrive: (spoilt: Spoilt | null) => Answer | Promise<Answer>;
  /** The name under which the faults are counted. */
  readonly faults: string;
};

/** A receiver in memory, whose answers are objects. */
export type Receiver<Reply extends object> = {
  readonly stage: Stage;
  readonly work: () => Reply;
  /** Creates the same answer about another object, and with an undefined word. */
  readonly other: (reported: Reply) => object;
  readonly unpromised: (reported: Reply) => object;
};

/** Simulates the network. It loses requests and answers, delivers late or twice, and falsifies answers. */
export async function travel(journey: Journey): Promise<Answer> {
  const { stage, verb, deadlineMs, arrive, isQuestion } = journey;
  const arriveLater = (afterMs: number): void => {
    // A look-up also learns the buyer's decision.
    if (isQuestion) return;
    const run = (): void => {
      note(stage, 'network', `the ${nameOf(journey)} arrives late`);
      void arrive(null);
    };
    stage.later.push({ at: stage.now + afterMs, run });
  };
  const fault = drawFault(journey);
  if (fault === 'late: answer after our deadline') void arrive(null);
  if (fault === 'late: work after our deadline') arriveLater(deadlineMs + stage.random.int(0, LATE_MS_MAX));
  return await pass(`call.${verb}`, async () => answer(journey, fault, arriveLater), {
    calls: true,
    delayMs: delayOf(stage, fault, deadlineMs),
    // A dying process may have sent its request already. The answer ends the timer of the call.
    leaveBehind: () => {
      const isDecided = fault?.startsWith('late') === true || fault === 'request lost';
      if (!isDecided && stage.random.chance(0.5)) arriveLater(stage.random.int(0, LATE_MS_MAX));
      return failure('timeout', true);
    },
  });
}

const nameOf = ({ verb, key = 'no key' }: Pick<Journey, 'verb' | 'key'>): string => `${verb} of ${key}`;

function drawFault(journey: Journey): Fault | null {
  const { stage, chance, mayRepeat, faults } = journey;
  const task = currentTask();
  if (!task || !stage.random.chance(chance)) return null;
  const drawn = stage.random.pick(stage.weather.faults);
  const fault = drawn === 'request arrives again later' && !mayRepeat ? 'answer lost' : drawn;
  note(stage, task, `${nameOf(journey)} meets "${fault}"`);
  count(stage.tally, faults, fault);
  return fault;
}

const LATENCIES_MS = [0, 0, 0, 0, 50, 2_000];

function delayOf(stage: Stage, fault: Fault | null, deadlineMs: number): number {
  if (fault?.startsWith('late') === true) return deadlineMs;
  return currentTask() ? stage.random.pick(LATENCIES_MS) : 0;
}

async function answer(
  { stage, arrive }: Journey,
  fault: Fault | null,
  arriveLater: (afterMs: number) => void,
): Promise<Answer> {
  if (isSpoilt(fault)) return await arrive(fault);
  switch (fault) {
    case 'request lost':
      return failure('connection_lost', true);
    case 'connection refused':
      return failure('connection_refused', false);
    case 'answer lost':
      await arrive(null);
      return failure('connection_lost', true);
    case 'late: answer after our deadline':
    case 'late: work after our deadline':
      return failure('timeout', true);
    case 'request arrives again later':
      arriveLater(stage.random.int(0, LATE_MS_MAX));
      return await arrive(null);
    case null:
      return await arrive(null);
  }
}

/** Delivers a request to a receiver in memory. */
export const arriving =
  <Reply extends object>({ stage, work, other, unpromised }: Receiver<Reply>): Journey['arrive'] =>
  (spoilt) => {
    if (spoilt === '503 without the work') return reply(503, '');
    const reported = work();
    switch (spoilt) {
      case '500 after the work':
        return reply(500, 'Internal error');
      case 'nonsense after the work':
        return reply(200, stage.random.pick(nonsense(reported, unpromised(reported))));
      case 'approval of other money':
        return reply(200, JSON.stringify(other(reported)));
      case null:
        return replyOf(reported);
    }
  };

/** Lists invalid answers: nothing, a page, an undefined word, and half an answer. */
const nonsense = (reported: object, unpromised: object): readonly string[] => [
  '',
  '<html>Bad gateway</html>',
  JSON.stringify(unpromised),
  JSON.stringify(reported).slice(0, -20),
];

/** Sends an answer with the status and the headers that the provider chose. */
function replyOf(reported: object & { readonly http?: Served['http'] }): Answer {
  const { http, ...body } = reported;
  return reply(http?.status ?? 200, http ? '' : JSON.stringify(body), http?.headers);
}

export const reply = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  reply: { status, headers, body, durationMs: 0, timing: NO_TIMING },
});
export const failure = (kind: HttpFailure['kind'], sent: boolean): Answer => ({
  failure: { kind, sent, durationMs: 0, timing: NO_TIMING },
});
