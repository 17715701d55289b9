import type { GiftCardRequest } from '../../src/connectors/sandbox/gift-card-simulator.ts';
import type { SimulatorRequest } from '../../src/connectors/sandbox/simulator.ts';
import { NO_TIMING, type HttpClient, type HttpFailure } from '../../src/platform/http-client.ts';
import { decide, openBooks, serve, type Books } from './books.ts';
import type { Fault } from './faults.ts';
import { serveGiftCards } from './gift-books.ts';
import { deskAt, LATE_MS_MAX, type Place } from './house.ts';
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

type Request = SimulatorRequest | GiftCardRequest;

/** An answer in the provider's words; an amount only when money was moved. */
type Reply = { readonly result: string; readonly amount?: number };

/** A question changes nothing. */
const isQuestion = ({ operation }: Request): boolean => operation === 'status' || operation === 'balance';

/** A request on its way, and the ways in which it can arrive. */
type Journey = {
  readonly stage: Stage;
  readonly request: Request;
  readonly fault: Fault | null;
  readonly arrive: () => Reply;
  readonly arriveLater: (afterMs: number) => void;
};

export function createProvider(stage: Stage): Provider {
  const books = openBooks();
  const arrived = { count: 0 };
  const send: HttpClient['send'] = async ({ url, body, deadlineMs }) => {
    const { place, isOfGiftCards } = deskAt(url);
    // What the sandbox connector sends; a test of its own says so.
    const request = JSON.parse(body ?? '') as Request;
    const arrive = (): Reply => {
      arrived.count += 1;
      return isOfGiftCards
        ? serveGiftCards({ stage, entries: books.giftCards, place }, request as GiftCardRequest)
        : serve({ stage, books, place }, request as SimulatorRequest);
    };
    const arriveLater = (afterMs: number): void => {
      // What the buyer has said is asked again, too.
      if (isQuestion(request)) return;
      const run = (): void => {
        note(stage, 'network', `the ${nameOf(request)} arrives late`);
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

const nameOf = ({ operation, idempotency_key: key = 'no key' }: Request): string => `${operation} of ${key}`;

/** Nobody but who remembers keys is sent a request twice by the network. */
function drawFault(stage: Stage, place: Place, request: Request): Fault | null {
  const task = currentTask();
  const { fault: chances } = stage.weather;
  const chance = request.operation === 'balance' ? chances.status : chances[request.operation];
  if (!task || !stage.random.chance(chance)) return null;
  const drawn = stage.random.pick(stage.weather.faults);
  const fault = drawn === 'request arrives again later' && place !== 'keys' ? 'answer lost' : drawn;
  note(stage, task, `${nameOf(request)} meets "${fault}"`);
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
      return reply(200, JSON.stringify({ ...said, result: 'approved', amount: (said.amount ?? 0) + 1 }));
    }
    case 'request arrives again later':
      arriveLater(stage.random.int(0, LATE_MS_MAX));
      return reply(200, JSON.stringify(arrive()));
    case null:
      return reply(200, JSON.stringify(arrive()));
  }
}

/** Nothing, a page, a word that was never promised, half an answer. */
const nonsense = (said: Reply): readonly string[] => [
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
