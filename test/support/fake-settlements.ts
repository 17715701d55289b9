import {
  BOOKINGS_OF_PAGE,
  simulateSettlements,
  START,
  type SettlementPageOnWire,
  type SettlementQuestion,
} from '../../src/connectors/sandbox/simulator/settlement-simulator.ts';
import { cursorOf, placeOf } from '../../src/connectors/sandbox/settlements.ts';
import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';
import type { Booked } from '../../src/connectors/notices/settlements.ts';

/** The settlements of a fake provider, from its own books and by its own clock. */
export type FakeSettlements = {
  /** The fetches of settlements, in order. */
  readonly calls: readonly SettlementQuestion[];
  /** Answers the next fetches with these values instead of the books, one each. */
  answerNext(...answers: readonly object[]): void;
};

export type FakeSettlementBooks = FakeSettlements & {
  /** Books an approved request once. */
  book(request: SimulatorRequest, reply: SimulatorReply): void;
  answer(question: SettlementQuestion): SettlementPageOnWire | object;
};

export function openFakeSettlements(now: () => Date): FakeSettlementBooks {
  const calls: SettlementQuestion[] = [];
  const scripted: object[] = [];
  const booked = new Map<string, Booked>();
  return {
    calls,
    answerNext: (...answers) => void scripted.push(...answers),
    book: (request, reply) => {
      const kind = kindOf(request);
      const { idempotency_key: key, payment_id: payment, amount, currency } = request;
      if (kind === null || reply.result !== 'approved' || booked.has(key)) return;
      booked.set(key, {
        ...{ id: `booking_${key}`, kind, key, amount, currency, bookedAt: now() },
        ...{ operationReference: reply.id, paymentReference: payment ?? reply.id, disputeReference: null },
      });
    },
    answer: (question) => {
      calls.push(question);
      const next = scripted.shift();
      if (next) return next;
      const place = question.cursor === null ? START : placeIn(question.cursor);
      // Nothing comes behind a scripted page.
      if (!place) return { entries: [], cursor: question.cursor, more: false };
      const all = [...booked.values()];
      const from = all.slice(
        Math.max(
          0,
          all.findIndex(({ id }) => id === place.after),
        ),
      );
      const page = simulateSettlements(place, from.slice(0, BOOKINGS_OF_PAGE + 2), now());
      return { entries: page.entries, cursor: cursorOf(page.place), more: page.more };
    },
  };
}

/** Returns the place of a cursor. Null for the cursor of a scripted page. */
function placeIn(cursor: string): ReturnType<typeof placeOf> | null {
  try {
    return placeOf(cursor);
  } catch {
    return null;
  }
}

function kindOf({ operation, of, capture }: SimulatorRequest): Booked['kind'] | null {
  const verb = operation === 'status' ? of : operation;
  if (verb === 'capture' || verb === 'refund') return verb;
  return verb === 'authorize' && capture === true ? 'capture' : null;
}
