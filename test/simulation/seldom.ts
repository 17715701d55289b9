import type { HttpClient } from '../../src/platform/http/http-client.ts';
import type { Bug } from './bug.ts';
import {
  afterRows,
  atConnectors,
  both,
  givenInTransaction,
  inText,
  inTransaction,
  swap,
  type Row,
  type Spoil,
} from './spoil.ts';

// Mistakes that random histories meet too seldom, or that need something which the simulation leaves out. A test reveals each. It
// always runs the same way, passes with the app, and shows the harm with the mistake.

type Mistake = Pick<Bug, 'name' | 'spoil'>;

const alwaysUnknown = swap('o.accepted_at IS NULL THEN', 'true THEN');

/** Mistakes of two calls at once. */
const atOnce = {
  resolved: {
    name: 'a review ends while being opened, and no caller hears of the end',
    spoil: () => inText(/^claim_review$/, swap(/AND EXISTS \(SELECT FROM operation o[^)]*\)/, '')),
  },
  tookOn: {
    name: 'a concurrent call makes an accepted operation unknown',
    spoil: () => inText(/^release_lease$/, alwaysUnknown),
  },
  stoodStill: {
    name: 'a paused process makes an operation unknown that another process has claimed',
    spoil: () =>
      inText(
        /^release_lease$/,
        both(alwaysUnknown, swap(/AND o\.attempts = (\$\d+)::int/, 'AND $1::int IS NOT NULL')),
      ),
  },
  tookIncrease: {
    name: 'a capture takes the part of an increase that is under way',
    spoil: () =>
      inText(
        /^claim_capture$/,
        swap('least(l.authorized_amount', 'least(l.authorized_amount + l.increase_pending_amount'),
      ),
  },
} as const satisfies Readonly<Record<string, Mistake>>;

/** Mistakes about answers and webhooks that no simulated provider sends. */
const inWords = {
  advice: {
    name: 'an advice of the scheme against a retry is not heard',
    spoil: () => withoutCode('merchantAdviceCode'),
  },
  response: {
    name: 'a response code after which the scheme forbids a retry is not heard',
    spoil: () => withoutCode('networkResponseCode'),
  },
  oldExpiry: {
    name: 'a re-authorised payment expires by the date before its renewal',
    spoil: () =>
      afterRows(/^(read|lock)_operation$/, (rows) =>
        rows.map((row) => ({
          ...row,
          transaction: { ...(row['transaction'] as Row), reauthorized_at: null },
        })),
      ),
  },
  unlearned: {
    name: 'a provider’s id that a webhook brings late is dropped',
    spoil: () => inText(/^learn_reference$/, swap(`o.status <> 'pending'`, 'false')),
  },
  relearned: {
    name: 'a provider’s id that a webhook brings late replaces the known one',
    spoil: () =>
      inText(
        /^learn_reference$/,
        swap(/AND \(o\.provider_reference IS NULL OR o\.provider_reference IN \([^)]*\)\)/, ''),
      ),
  },
  completedTwice: {
    name: 'PayPal’s refusal of a second completion is taken for a decline',
    spoil: () =>
      inReplies((body) => body.replaceAll(/ORDER_ALREADY_(AUTHORIZED|CAPTURED)/g, 'INSTRUMENT_DECLINED')),
  },
} as const satisfies Readonly<Record<string, Mistake>>;

/** Mistakes in settlements. */
const inSettlements = {
  storedTwice: {
    name: 'an entry of an overlapping page is stored again',
    spoil: () => inTransaction('settlement', 'findMany', () => []),
  },
  unlisted: {
    name: 'a difference between an entry and the books is not listed',
    spoil: () =>
      givenInTransaction('settlement', 'createMany', ({ data, ...given }) => ({
        ...given,
        data: (data as readonly Row[]).map((entry) => ({ ...entry, difference: null })),
      })),
  },
  ofAnother: {
    name: 'an entry settles an operation of another payment service',
    spoil: () =>
      inText(
        /^(name_settlements|bookings_to_settle)$/,
        swap(/o\.payment_service_id = (\$\d+)(::uuid)?/g, '$1::uuid IS NOT NULL'),
      ),
  },
} as const satisfies Readonly<Record<string, Mistake>>;

export const seldom = { ...atOnce, ...inWords, ...inSettlements } as const;

/** Drops a code of the scheme from every answer. */
const withoutCode = (code: 'merchantAdviceCode' | 'networkResponseCode'): Spoil =>
  atConnectors({ hear: (outcome) => (outcome.kind === 'declined' ? { ...outcome, [code]: null } : outcome) });

/** Changes the bodies of the answers over the network. */
const inReplies =
  (change: (body: string) => string): Spoil =>
  (app) => {
    const send: HttpClient['send'] = async (request) => {
      const answer = await app.http.send(request);
      return 'reply' in answer
        ? { ...answer, reply: { ...answer.reply, body: change(answer.reply.body) } }
        : answer;
    };
    return { ...app, http: { ...app.http, send } };
  };
