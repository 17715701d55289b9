import { NO_TIMING, type HttpClient, type HttpFailure } from '../../src/platform/http-client.ts';
import type { Fault } from './faults.ts';
import { LATE_MS_MAX } from './house.ts';
import { currentTask, note, pass, type Stage } from './stage.ts';
import { count } from './tally.ts';

export type Answer = Awaited<ReturnType<HttpClient['send']>>;

/** A request on its way, who is there, and what can become of it. */
export type Journey<Reply extends object> = {
  readonly stage: Stage;
  /** What is asked, such as `authorize`, and under which key. */
  readonly verb: string;
  readonly key: string | undefined;
  readonly deadlineMs: number;
  /** How likely it goes wrong. */
  readonly chance: number;
  /** Whether the network may bring it twice. */
  readonly mayRepeat: boolean;
  /** A question changes nothing, and one that nobody waits for is never heard. */
  readonly isQuestion: boolean;
  readonly arrive: () => Reply;
  /** The same answer about something else, and with a word in it that was never promised. */
  readonly other: (said: Reply) => object;
  readonly unpromised: (said: Reply) => object;
  /** Under which name its faults are counted. */
  readonly faults: string;
};

/** The network: loses requests and answers, brings them too late or twice, and makes other answers of them. */
export async function travel<Reply extends object>(journey: Journey<Reply>): Promise<Answer> {
  const { stage, verb, deadlineMs, arrive, isQuestion } = journey;
  const arriveLater = (afterMs: number): void => {
    // What the buyer has said is asked again, too.
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
      const said = arrive();
      return reply(200, stage.random.pick(nonsense(said, unpromised(said))));
    }
    case 'approval of other money':
      return reply(200, JSON.stringify(other(arrive())));
    case 'request arrives again later':
      arriveLater(stage.random.int(0, LATE_MS_MAX));
      return reply(200, JSON.stringify(arrive()));
    case null:
      return reply(200, JSON.stringify(arrive()));
  }
}

/** Nothing, a page, a word that was never promised, half an answer. */
const nonsense = (said: object, unpromised: object): readonly string[] => [
  '',
  '<html>Bad gateway</html>',
  JSON.stringify(unpromised),
  JSON.stringify(said).slice(0, -20),
];

const reply = (status: number, body: string): Answer => ({
  reply: { status, headers: {}, body, durationMs: 0, timing: NO_TIMING },
});
const failure = (kind: HttpFailure['kind'], sent: boolean): Answer => ({
  failure: { kind, sent, durationMs: 0, timing: NO_TIMING },
});
