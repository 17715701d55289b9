import { capture, refund, release } from './changes.ts';
import { acceptDispute, findDispute, storeEvidence, submitEvidence } from './disputes.ts';
import { createPayment, findPayment } from './payments.ts';
import { refuse, refuseInvalid } from './refusal.ts';
import type { CaptureBody, PartBody, PaymentBody } from './shapes.ts';
import { makeToken } from './tokens.ts';
import { actionView, answerView, detailsView, disputeView, evidenceView, referenceOf } from './views.ts';
import type { Action, World } from './world.ts';

/** An answer: JSON, a text, or nothing. */
export type Shown = { readonly status: number; readonly body: object | string | null };

/** A checked request. `body` has the shape of its call. */
export type Asked = {
  readonly world: World;
  readonly id: string;
  readonly body: unknown;
  readonly query: URLSearchParams;
  readonly key: string | null;
};

type Call = (asked: Asked) => Shown;

const received = ({ id, reference }: Action): Shown => ({
  status: 202,
  body: { action_id: id, ...referenceOf(reference) },
});

const DONE: Shown = { status: 204, body: null };

/** The calls that the double knows. The bodies were checked before, so their types are known. */
export const CALLS: Readonly<Record<string, Call>> = {
  'POST /payments': ({ world, body, key }) =>
    answerView(world, createPayment(world, body as PaymentBody, key)),
  'GET /payments': ({ world, query }) => search(world, query),
  'GET /payments/{id}': ({ world, id }) => ({
    status: 200,
    body: detailsView(world, findPayment(world, id)),
  }),
  'GET /payments/{id}/actions': ({ world, id }) => {
    const payment = findPayment(world, id);
    const listed = payment.actions.filter(({ approved }) => world.settings.listsPending || approved !== null);
    return { status: 200, body: listed.map((action) => actionView(payment, action)) };
  },
  'POST /payments/{id}/captures': ({ world, id, body, key }) =>
    received(capture(world, findPayment(world, id), { body: body as CaptureBody, key })),
  'POST /payments/{id}/refunds': ({ world, id, body, key }) =>
    received(refund(world, findPayment(world, id), { body: body as PartBody, key })),
  'POST /payments/{id}/voids': ({ world, id, body, key }) =>
    received(release(world, findPayment(world, id), { body: body as PartBody, key })),
  'POST /tokens': ({ world, body }) => exchange(world, JSON.stringify(body)),
  'GET /disputes/{id}': ({ world, id }) => ({ status: 200, body: disputeView(findDispute(world, id)) }),
  'POST /disputes/{id}/accept': ({ world, id }) => {
    acceptDispute(world, findDispute(world, id));
    return DONE;
  },
  'GET /disputes/{id}/evidence': ({ world, id }) => ({
    status: 200,
    body: evidenceView(world, findDispute(world, id)),
  }),
  'PUT /disputes/{id}/evidence': ({ world, id, body }) => {
    storeEvidence(world, findDispute(world, id), body as Readonly<Record<string, string>>);
    return DONE;
  },
  'POST /disputes/{id}/evidence': ({ world, id }) => {
    submitEvidence(world, findDispute(world, id));
    return DONE;
  },
  'POST /files': ({ world, body }) => keepFile(world, String(body)),
};

/** Searches payments by their reference, newest first. */
function search(world: World, query: URLSearchParams): Shown {
  if (!world.settings.hasSearch) refuse(404);
  const reference = query.get('reference') ?? refuseInvalid('reference_required');
  const until = world.now().getTime() - world.settings.searchLagMs;
  const limit = Number(query.get('limit') ?? 10);
  const data = [...world.payments.values()]
    .toReversed()
    .filter((payment) => payment.reference === reference && payment.requestedAt.getTime() <= until)
    .map((payment) => detailsView(world, payment));
  return { status: 200, body: { limit, skip: 0, total_count: data.length, data: data.slice(0, limit) } };
}

/** Exchanges the token of a wallet. */
function exchange(world: World, data: string): Shown {
  const { token, expiresAt } = makeToken(world, data);
  return {
    status: 201,
    body: {
      ...{ type: 'applepay', token, expires_on: expiresAt.toISOString(), scheme: 'VISA' },
      ...{ expiry_month: 12, expiry_year: 2040, last4: '4242', bin: '424242' },
    },
  };
}

/** Keeps a file of evidence. The form has the fields `purpose` and `path`. */
function keepFile(world: World, form: string): Shown {
  if (!/name="purpose"\r\n\r\ndispute_evidence\r\n/.test(form)) refuseInvalid('purpose_invalid');
  const [, type = ''] =
    /name="path"; filename="[^"]+"\r\nContent-Type: ([\w/]+)\r\n\r\n[^]+\r\n--/.exec(form) ?? [];
  if (!['application/pdf', 'image/jpeg', 'image/png'].includes(type)) refuseInvalid('file_invalid');
  const id = world.id('file');
  world.files.add(id);
  return { status: 200, body: { id } };
}

/** Refuses a path without a call. */
export const refuseUnknown = (): never => refuse(404);
