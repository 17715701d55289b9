import { z } from 'zod';
import {
  SETTLEMENT_KINDS,
  unreadable,
  type CallContext,
  type SettlementAnswer,
  type SettlementEntry,
  type SettlementKind,
  type SettlementRequest,
  type Settlements,
} from '../door.ts';
import { exchange } from './exchange.ts';
import {
  BOOKINGS_OF_PAGE,
  simulateSettlements,
  START,
  type Place,
  type SettlementPageOnWire,
  type SettlementQuestion,
} from './simulator/settlement-simulator.ts';

/** The settlements of the built-in provider, or of the merchant's own simulator at `api_url`. */
export const sandboxSettlements: Settlements = {
  fetch: async (context, request) => {
    const { api_url: url } = context.credentials;
    if (!url) return answerFromWire(await answerBuiltIn(request));
    return fetchFrom(context, url, request);
  },
};

async function fetchFrom(
  context: CallContext,
  url: string,
  { cursor }: SettlementRequest,
): Promise<SettlementAnswer> {
  const question: SettlementQuestion = { operation: 'settlements', cursor };
  const exchanged = await exchange(context, url, question);
  if ('answer' in exchanged) return answerFromWire(exchanged.answer);
  return exchanged.refused ? { kind: 'refused', reason: REFUSED_CLIENT } : exchanged.unknown;
}

const REFUSED_CLIENT = 'The provider refuses the client id or the client secret.';

/**
 * Answers as the built-in provider, which settles the books of Paygraph. The cursor holds the provider's whole state, so a
 * restart of the process loses nothing.
 */
async function answerBuiltIn({ cursor, now, booked }: SettlementRequest): Promise<SettlementPageOnWire> {
  const place = cursor === null ? START : placeOf(cursor);
  const {
    entries,
    place: next,
    more,
  } = simulateSettlements(place, await booked(place.after, BOOKINGS_OF_PAGE + 2), now);
  return { entries, cursor: cursorOf(next), more };
}

/** Writes a place as a cursor. */
export const cursorOf = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

/** Reads the place of a cursor. Throws if the cursor is not one of ours. */
export const placeOf = (cursor: string): Place =>
  placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));

const placeSchema = z.object({
  after: z.string().nullable(),
  afterDay: z.string(),
  day: z.string(),
  sums: z.record(z.string(), z.int()),
});

const text = z.string().nullable();

/** An entry of a kind that is not listed is of the kind `unknown`. */
const entry = z.object({
  ...{ id: z.string(), type: z.string(), idempotency_key: text, reference: text },
  ...{ payment_id: text, dispute: text, payout: text },
  ...{ gross: z.int(), fee: z.int(), net: z.int(), currency: z.string() },
  ...{ amount: z.int().nullable(), original_currency: text, exchange_rate: text },
  settled_on: z.string(),
});

const page = z.object({
  entries: z.array(z.looseObject({ id: z.unknown() })),
  cursor: z.string(),
  more: z.boolean(),
});

const refusal = z.object({ result: z.literal('refused'), message: z.string() });

/** Maps the provider's answer. Returns `unknown` for an undocumented answer. */
function answerFromWire(given: unknown): SettlementAnswer {
  const refused = refusal.safeParse(given);
  if (refused.success) return { kind: 'refused', reason: refused.data.message };
  const parsed = page.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { entries, cursor, more } = parsed.data;
  const read = entries.map((each) => ({ each, ...entry.safeParse(each) }));
  return {
    kind: 'page',
    entries: read.flatMap(({ data }) => (data ? [entryFromWire(data)] : [])),
    unreadable: read.flatMap(({ each, error }) => (error ? [unreadable(each.id, each, error)] : [])),
    cursor,
    more,
  };
}

const entryFromWire = (given: z.output<typeof entry>): SettlementEntry => ({
  ...{ reference: given.id, kind: kindOf(given.type), providerKind: given.type, key: given.idempotency_key },
  ...{ operationReference: given.reference, paymentReference: given.payment_id },
  ...{ disputeReference: given.dispute, payoutReference: given.payout },
  ...{ gross: given.gross, fee: given.fee, net: given.net, currency: given.currency },
  original:
    given.amount === null || given.original_currency === null
      ? null
      : { amount: given.amount, currency: given.original_currency },
  ...{ exchangeRate: given.exchange_rate, settledOn: given.settled_on },
});

const kindOf = (type: string): SettlementKind => SETTLEMENT_KINDS.find((kind) => kind === type) ?? 'unknown';
