import { NO_TIMING, type HttpClient, type HttpFailure } from '../../src/platform/http-client.ts';
import type { Served } from './books.ts';
import type { Fault } from './faults.ts';
import { LATE_MS_MAX } from './harness.ts';
import { currentTask, note, pass, type Stage } from './stage.ts';
import { count } from './tally.ts';

export type Answer = Awaited<ReturnType<HttpClient['send']>>;

/** A request under way, its receiver, and its possible faults. */
export type Journey<Reply extends object> = {
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
  readonly arrive: () => Reply;
  /** Creates the same answer about another object, and with an undefined word. */
  readonly other: (reported: Reply) => object;
  readonly unpromised: (reported: Reply) => object;
  /** The name under which the faults are counted. */
  readonly faults: string;
};

/** Simulates the network. It loses requests and answers, delivers late or twice, and falsifies answers. */
export async function travel<Reply extends object>(journey: Journey<Reply>): Promise<Answer> {
  const { stage, verb, deadlineMs, arrive, isQuestion } = journey;
  const arriveLater = (afterMs: number): void => {
    // A look-up also learns the buyer's decision.
    if (isQuestion) return;
    const run = (): void => {
      note(stage, 'network', `the ${nameOf(journey)} arrives late`);
      arrive();
    };
    stage.later.push({ at: stage.now + afterMs, run });
  };
  const fault = drawFault(journey);
  if (fault === 'late: answer after our deadline') arrive();
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

const nameOf = ({ verb, key = 'no key' }: Pick<Journey<object>, 'verb' | 'key'>): string =>
  `${verb} of ${key}`;

function drawFault<Reply extends object>(journey: Journey<Reply>): Fault | null {
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

function answer<Reply extends object>(
  { stage, arrive, other, unpromised }: Journey<Reply>,
  fault: Fault | null,
  arriveLater: (afterMs: number) => void,
): Answer {
  switch (fault) {
    case 'request lost':
      return failure('connection_lost', true);
    case 'connection refused':
      return failure('connection_refused', false);
    case 'answer lost':
      arrive();
      return failure('connection_lost', true);
    case 'late: work after our deadline':
    case 'late: answer after our deadline':
      return failure('timeout', true);
    case '500 after the work':
      arrive();
      return reply(500, 'Internal error');
    case '503 without the work':
      return reply(503, '');
    case 'nonsense after the work': {
      const reported = arrive();
      return reply(200, stage.random.pick(nonsense(reported, unpromised(reported))));
    }
    case 'approval of other money':
      return reply(200, JSON.stringify(other(arrive())));
    case 'request arrives again later':
      arriveLater(stage.random.int(0, LATE_MS_MAX));
      return replyOf(arrive());
    case null:
      return replyOf(arrive());
  }
}

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

const reply = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  reply: { status, headers, body, durationMs: 0, timing: NO_TIMING },
});
const failure = (kind: HttpFailure['kind'], sent: boolean): Answer => ({
  failure: { kind, sent, durationMs: 0, timing: NO_TIMING },
});
