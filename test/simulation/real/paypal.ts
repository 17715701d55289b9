import type { BookedOperation, BookedPayment } from '../../connectors/paypal/books.ts';
import { createPayPalDouble, type PayPalDouble } from '../../connectors/paypal/double.ts';
import type { DoubleRequest } from '../../connectors/double-server.ts';
import type { Entry } from '../books.ts';
import { BEGIN_MS } from '../harness.ts';
import type { Stage } from '../stage.ts';
import type { ConnectorCall } from './calls.ts';
import type { Account } from './connectors.ts';
import { BY_HAND, idsOf, shareOf, type Effect, type Handled, type RealDouble } from './double.ts';

/** The events at PayPal that its books do not tell. */
type Notes = {
  /** The calls that ended an authorisation, by the order. */
  readonly releases: Map<string, ConnectorCall>;
  /** The orders that a cancel met, by the key of the cancel. */
  readonly cancels: Map<string, string>;
  /** The amounts of successes that PayPal took back, by their ids, in PayPal's decimals. */
  readonly taken: Map<string, number>;
  /** The ids of what a hand made, and the orders that a hand voided. */
  readonly byHand: Set<string>;
};

/** Opens the double of PayPal for an account. */
export function openPayPal(stage: Stage, { clientId, secretKey, webhookId }: Account): RealDouble {
  const { random } = stage;
  const now = (): Date => new Date(BEGIN_MS + stage.now);
  const names = { clientId, clientSecret: secretKey, webhookId };
  const double = createPayPalDouble({ now, newId: idsOf(stage), ...names });
  const tokens = new Set([basicOf(names)]);
  const notes: Notes = { releases: new Map(), cancels: new Map(), taken: new Map(), byHand: new Set() };
  const certificate = new URL(double.certificate.certUrl).pathname;
  let takesBack = 0;
  return {
    isFor: ({ path, headers }) => path === certificate || tokens.has(lastWordOf(headers)),
    isWork: ({ path }) => path !== certificate && path !== TOKEN,
    serve: async (request, call, fault) => {
      if (fault && request.path !== certificate) double.failNext([fault], '');
      const served = double.handle(request);
      if (call) follow(double, notes, call);
      const answer = await served;
      const { access_token: token, id } = wordsIn(answer?.body);
      if (token !== undefined) tokens.add(token);
      const met = ORDER.exec(request.path)?.[1] ?? id;
      if (call?.verb === 'cancel' && met !== undefined) notes.cancels.set(call.key, met);
      return answer;
    },
    effects: () => double.books().payments.flatMap((payment) => effectsOf(payment, notes)),
    owed: () => {
      decideOpen(stage, double);
      if (takesBack > 0 && takeBack(stage, double, notes)) takesBack -= 1;
      return double.webhooks().map(({ body, headers }) => ({ body, sign: () => headers }));
    },
    byHand: (handled) => double.books().payments.some((payment) => act(double, notes, payment, handled)),
    refuse: (verb) => {
      if (verb !== 'authorize' && random.chance(0.5)) takesBack += 1;
      else double.hands.answerNext(random.pick(['DENIED', 'PENDING']), random.pick(REASONS));
    },
    decideAtPage: (token, reported) => {
      const asked = double.requests.findLast(({ path, body }) => path === ORDERS && body.includes(token));
      const { custom_id: key } = wordsIn(asked?.body);
      const order = double.books().payments.find(({ customId }) => customId !== null && customId === key);
      if (!order) return null;
      if (reported === 'nothing') return {};
      const address = double.hands.decide(order.id, reported === 'approved' ? 'approve' : 'cancel');
      return address === null ? null : Object.fromEntries(new URL(address).searchParams);
    },
  };
}

const TOKEN = '/v1/oauth2/token';
const ORDERS = '/v2/checkout/orders';
const ORDER = /^\/v2\/checkout\/orders\/([A-Z0-9]+)/;

const REASONS = ['PENDING_REVIEW', 'ECHECK'];

const basicOf = ({ clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string }) =>
  Buffer.from(`${clientId}:${clientSecret}`).toString('base64');

const lastWordOf = (headers: DoubleRequest['headers']): string =>
  headers['authorization']?.split(' ').at(-1) ?? '';

/** Reads the first texts of these names, also in a spoilt answer. */
function wordsIn(body = ''): Readonly<Partial<Record<'access_token' | 'custom_id' | 'id', string>>> {
  const word = (name: string): string | undefined => new RegExp(`"${name}":"([^"]+)"`).exec(body)?.[1];
  const [access_token, custom_id, id] = [word('access_token'), word('custom_id'), word('id')];
  return { ...(access_token && { access_token }), ...(custom_id && { custom_id }), ...(id && { id }) };
}

/** Moves money by hand. False if the payment does not allow the act. PayPal raises no authorisation. */
function act(double: PayPalDouble, notes: Notes, payment: BookedPayment, { what, share }: Handled): boolean {
  const { id, status, authorizations, captures, held, refunds } = payment;
  const authorization = authorizations.at(-1);
  if (status !== 'COMPLETED') return false;
  if (what === 'refund') {
    const capture = captures.find((one) => one.status === 'COMPLETED' && !notes.taken.has(one.id));
    if (!capture || refunds.length > 0) return false;
    notes.byHand.add(double.elsewhere.refund(capture.id, shareOf(capture.amount, share)));
    return true;
  }
  if (!authorization || held <= 0 || !/CREATED|PARTIALLY_CAPTURED/.test(authorization.status)) return false;
  if (what === 'capture')
    notes.byHand.add(double.elsewhere.capture(authorization.id, shareOf(held, share), false));
  else if (what === 'void' && captures.length === 0) {
    double.elsewhere.void(authorization.id);
    notes.byHand.add(id);
  } else return false;
  return true;
}

/** Notes the call in which an authorisation ended. */
function follow(double: PayPalDouble, { releases, byHand }: Notes, call: ConnectorCall): void {
  for (const { id, authorizations } of double.books().payments)
    if (authorizations.at(-1)?.status === 'VOIDED' && !releases.has(id) && !byHand.has(id))
      releases.set(id, call);
}

/** Decides what is pending: an electronic check that clears or bounces. */
function decideOpen({ random }: Stage, double: PayPalDouble): void {
  for (const { authorizations, captures, refunds } of double.books().payments)
    for (const { id, status } of [...authorizations, ...captures, ...refunds])
      if (status === 'PENDING') double.hands[random.chance(0.6) ? 'complete' : 'deny'](id);
}

/** Takes a capture or a refund back. False if there is nothing to take. */
function takeBack({ random }: Stage, double: PayPalDouble, { taken }: Notes): boolean {
  const open = double
    .books()
    .payments.flatMap(({ captures, refunds }) => [
      ...captures.map((one) => ({ ...one, end: () => void double.hands.reverse(one.id) })),
      ...refunds.map((one) => ({ ...one, end: () => double.hands.deny(one.id) })),
    ]);
  const done = open.filter(({ id, status }) => status === 'COMPLETED' && !taken.has(id));
  if (done.length === 0) return false;
  const { id, amount, end } = random.pick(done);
  taken.set(id, amount);
  end();
  return true;
}

const RESULTS: Readonly<Record<string, Entry['result']>> = {
  ...{ CREATED: 'approved', PARTIALLY_CAPTURED: 'approved', CAPTURED: 'approved', VOIDED: 'approved' },
  ...{ COMPLETED: 'approved', PARTIALLY_REFUNDED: 'approved', REFUNDED: 'approved', PENDING: 'pending' },
};

/** The currencies of which PayPal has no decimals, and ISO 4217 has two. */
const WHOLE = ['HUF', 'TWD'];

function effectsOf(payment: BookedPayment, notes: Notes): readonly Effect[] {
  const { id: paymentId, customId: key, status, currency, authorizations, captures, refunds } = payment;
  const canceledBy = [...notes.cancels].flatMap(([by, order]) => (order === paymentId ? [by] : []));
  // An order that is not completed holds nothing.
  const ofNothing = (by: string): Effect => ({ ...NOTHING, key: by, amount: null, verb: 'cancel' });
  if (status !== 'COMPLETED') return canceledBy.map(ofNothing);
  const minor = (amount: number): number => (WHOLE.includes(currency) ? amount * 100 : amount);
  const effect = (verb: Effect['verb'], name: string | null, made: BookedOperation): Effect => ({
    ...{ verb, key: name ?? 'no key', id: made.id, paymentId, amount: minor(made.amount) },
    ...(notes.byHand.has(made.id) && { byHand: BY_HAND, key: `${verb} ${made.id}` }),
    result: notes.taken.has(made.id) ? 'approved' : (RESULTS[made.status] ?? 'declined'),
    reversed: minor(notes.taken.get(made.id) ?? 0),
  });
  const release = notes.releases.get(paymentId);
  const by = release?.verb === 'void' || release?.verb === 'cancel' ? release.verb : null;
  const [authorization = captures[0]] = authorizations;
  const isVoided = authorizations.at(-1)?.status === 'VOIDED';
  const isByHand = notes.byHand.has(paymentId);
  const isSale = authorizations.length === 0;
  return [
    ...(authorization
      ? [
          {
            ...effect('authorize', key, authorization),
            ...{
              id: paymentId,
              isSale,
              released: by === 'cancel',
              expired: isVoided && by === null && !isByHand,
            },
          },
        ]
      : []),
    ...(release && by
      ? [{ verb: by, key: release.key, id: paymentId, paymentId, amount: null, result: 'approved' as const }]
      : []),
    // A cancel after the void finds that the order holds nothing.
    ...(isVoided && by ? canceledBy.filter((each) => each !== release?.key).map(ofNothing) : []),
    ...(isByHand && authorization
      ? [{ ...effect('void', `void ${paymentId}`, authorization), id: paymentId, byHand: BY_HAND }]
      : []),
    ...(isSale ? [] : captures.map((made) => effect('capture', made.invoiceId, made))),
    ...wholes(refunds.map((made) => effect('refund', made.customId?.split('.')[0] ?? null, made))),
  ];
}

/** The end of an order that never held anything. */
const NOTHING = { id: 'none', paymentId: 'none', result: 'approved' } as const;

/** Adds up the parts of each refund. A refund with an open part is open. */
function wholes(parts: readonly Effect[]): readonly Effect[] {
  return [...Map.groupBy(parts, ({ key }) => key).values()].flatMap((of) => {
    const [first] = of;
    const all = (result: Effect['result']): boolean => of.every((part) => part.result === result);
    const sum = (pick: (part: Effect) => number): number => of.reduce((total, part) => total + pick(part), 0);
    const result = all('approved') ? 'approved' : all('declined') ? 'declined' : 'pending';
    return first
      ? [
          {
            ...first,
            ...{
              result,
              amount: sum(({ amount }) => amount ?? 0),
              reversed: sum((part) => part.reversed ?? 0),
            },
          },
        ]
      : [];
  });
}
