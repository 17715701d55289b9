import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator.ts';
import { NO_TIMING, type HttpClient, type HttpFailure } from '../../src/platform/http-client.ts';
import { decide, openBooks, serve, type Books } from './books.ts';
import type { Fault } from './faults.ts';
import { LATE_MS_MAX, placeAt, type Place } from './house.ts';
import { advanceTo, currentTask, note, pass, type Stage } from './stage.ts';
import { count } from './tally.ts';

/** The providers in memory, and the network before them. */
export type Provider = {
  readonly books: Books;
  /** Requests that have arrived, repeats and look-ups included. */
  readonly arrived: { count: number };
  readonly send: HttpClient['send'];
};

type Answer = Awaited<ReturnType<HttpClient['send']>>;

/** A request on its way, and the ways in which it can arrive. */
type Journey = {
  readonly stage: Stage;
  readonly request: SimulatorRequest;
  readonly fault: Fault | null;
  readonly arrive: () => SimulatorReply;
  readonly arriveLater: (afterMs: number) => void;
};

export function createProvider(stage: Stage): Provider {
  const books = openBooks();
  const arrived = { count: 0 };
  const send: HttpClient['send'] = async ({ url, body, deadlineMs }) => {
    // What the sandbox connector sends; a test of its own says so.
    const request = JSON.parse(body ?? '') as SimulatorRequest;
    const place = placeAt(url);
    const arrive = (): SimulatorReply => {
      arrived.count += 1;
      return serve({ stage, books, place }, request);
    };
    const arriveLater = (afterMs: number): void => {
      // A look-up changes nothing, whenever it comes.
      if (request.operation === 'status') return;
      const run = (): void => {
        note(stage, 'network', `the ${request.operation} of ${request.idempotency_key} arrives late`);
        arrive();
      };
      stage.later.push({ at: stage.now + afterMs, run });
    };
    const fault = drawFault(stage, place, request);
    const journey = { stage, request, fault, arrive, arriveLater };
    if (fault === 'late: answer after our deadline') arrive();
    if (fault === 'late: work after our deadline') arriveLater(deadlineMs + stage.random.int(0, LATE_MS_MAX));
    return await pass(`call.${request.operation}`, async () => answer(journey), {
      calls: true,
      delayMs: delayOf(stage, fault, deadlineMs),
      // A dying process may have sent its request already. The answer ends the timer of the call.
      leaveBehind: () => {
        const isDecided = fault?.startsWith('late') === true || fault === 'request lost';
        if (!isDecided && stage.random.chance(0.5)) arriveLater(stage.random.int(0, LATE_MS_MAX));
        return failure('timeout', true);
      },
    });
  };
  return { books, arrived, send };
}

/** Nobody but who remembers keys is sent a request twice by the network. */
function drawFault(stage: Stage, place: Place, request: SimulatorRequest): Fault | null {
  const task = currentTask();
  if (!task || !stage.random.chance(stage.weather.fault[request.operation])) return null;
  const drawn = stage.random.pick(stage.weather.faults);
  const fault = drawn === 'request arrives again later' && place !== 'keys' ? 'answer lost' : drawn;
  note(stage, task, `${request.operation} of ${request.idempotency_key} meets "${fault}"`);
  count(stage.tally, 'provider faults', fault);
  return fault;
}

const LATENCIES_MS = [0, 0, 0, 0, 50, 2_000];

function delayOf(stage: Stage, fault: Fault | null, deadlineMs: number): number {
  if (fault?.startsWith('late') === true) return deadlineMs;
  return currentTask() ? stage.random.pick(LATENCIES_MS) : 0;
}

function answer({ stage, fault, arrive, arriveLater }: Journey): Answer {
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
    case 'nonsense after the work':
      return reply(200, stage.random.pick(nonsense(arrive())));
    case 'approval of other money': {
      const said = arrive();
      return reply(200, JSON.stringify({ ...said, result: 'approved', amount: said.amount + 1 }));
    }
    case 'request arrives again later':
      arriveLater(stage.random.int(0, LATE_MS_MAX));
      return reply(200, JSON.stringify(arrive()));
    case null:
      return reply(200, JSON.stringify(arrive()));
  }
}

/** Nothing, a page, a word that was never promised, half an answer. */
const nonsense = (said: SimulatorReply): readonly string[] => [
  '',
  '<html>Bad gateway</html>',
  JSON.stringify({ ...said, result: 'perhaps' }),
  JSON.stringify(said).slice(0, -20),
];

const reply = (status: number, body: string): Answer => ({
  reply: { status, headers: {}, body, durationMs: 0, timing: NO_TIMING },
});
const failure = (kind: HttpFailure['kind'], sent: boolean): Answer => ({
  failure: { kind, sent, durationMs: 0, timing: NO_TIMING },
});

/** Lets everything that is still on its way arrive, and everything be decided. */
export function deliverLate(stage: Stage, books: Books): void {
  advanceTo(stage, Math.max(stage.now, ...stage.later.map(({ at }) => at)));
  decide(stage, books, Infinity);
}
