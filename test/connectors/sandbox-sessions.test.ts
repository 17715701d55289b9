import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { noTokens } from '../support/no-tokens.ts';
import { resumePayment } from '../../src/connectors/calls/call-resume.ts';
import { isIban } from '../../src/kernel/account-numbers/iban.ts';
import { openSession } from '../../src/connectors/calls/call-session.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { sessionFromWire, simulateSession } from '../../src/connectors/sandbox/sessions.ts';
import { simulate, type SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';
import { outcomeFromWire } from '../../src/connectors/sandbox/wire/wire.ts';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import type { CallContext } from '../../src/connectors/interface/call-context.ts';
import type { Sessions } from '../../src/connectors/interface/sessions.ts';

const definition = sandbox.definitions.find(({ id }) => id === 'mock-wallet');
if (!definition) throw new Error('There is no wallet');
const SECRET = 'a secret of the service';
const context: CallContext = {
  definition,
  credentials: { merchant_id: 'shop', api_key: SECRET },
  http: { send: () => Promise.reject(new Error('Nobody is asked')) },
  deadlineMs: 500,
  environment: 'sandbox',
  accessTokens: noTokens(),
};
const log = pino({ level: 'silent' });
const money = { amount: 1299, currency: 'USD' };
const request = { key: 'k', reference: 'pay_1', money, capture: true } as const;
const completion = { ...request, returned: {} };

const ANSWER = simulateSession({
  ...{ operation: 'session', idempotency_key: 'k', payment_id: 'pay_1', merchant_id: 'shop' },
  ...{ currency: 'USD', intent: 'capture', client: 'web', method: 'venmo' },
});

describe('a session of the built-in provider', () => {
  it('holds the client’s data, the same each time', async () => {
    const open = () => openSession(sandbox, context, log, { ...request, client: 'web' });
    const data = {
      ...{ orderId: 'pay_1', merchantId: 'shop', currency: 'USD', intent: 'capture', fundingSource: 'venmo' },
      clientId: expect.stringMatching(/^client_[0-9a-f]{24}$/),
    };
    expect(await open()).toEqual({ kind: 'opened', data });
    expect(await open()).toEqual(await open());
  });

  it('is completed with the requested amount, and declined by its amount', async () => {
    const completed = await resumePayment(sandbox, context, log, completion);
    expect(completed).toMatchObject({ kind: 'succeeded', money });
    const declined = { ...completion, money: { amount: 200_011, currency: 'USD' } };
    expect(await resumePayment(sandbox, context, log, declined)).toMatchObject({
      kind: 'declined',
      errorCode: 'insufficient_funds',
    });
  });
});

/** Opens a session at a provider that answers with this order id. */
function opened(orderId: string) {
  const data = { ...{ orderId, clientId: 'c', merchantId: 'm', currency: 'USD' }, fundingSource: 'venmo' };
  const open: Sessions['open'] = async () => ({ kind: 'opened', data: { ...data, intent: 'capture' } });
  return openSession(withSessions({ open }), context, log, { ...request, client: 'ios' });
}

describe('a provider’s answer', () => {
  it.each([
    null,
    'text',
    {},
    { ...ANSWER, order_id: '' },
    { ...ANSWER, intent: 'void' },
    { ...ANSWER, client_id: 5 },
  ])('is unknown when it is not a session: %j', (given) => {
    expect(sessionFromWire(given)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });

  it.each([
    ['a secret of the service', `order ${SECRET}`],
    ['a control character', 'order\u0000'],
    ['more than can be kept', 'x'.repeat(256)],
  ])('is unknown with %s in it', async (_, orderId) => {
    expect(await opened(orderId)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });

  it('keeps a reference of the provider that has the check digits of an IBAN by chance', async () => {
    const reference = 'VM369MPMTPMRQ2KW';
    expect(isIban(reference)).toBe(true);
    expect(await opened(reference)).toMatchObject({ kind: 'opened', data: { orderId: reference } });
  });

  it.each<readonly [string, () => Promise<never>, string]>([
    ['throws', failing, 'unreadable'],
    ['never answers', hanging, 'timeout'],
  ])('is unknown when it %s', async (_, verb, cause) => {
    const connector = { ...withSessions({ open: verb }), resume: verb };
    const quick = { ...context, deadlineMs: 20 };
    const answers = [
      await openSession(connector, quick, log, { ...request, client: 'ios' }),
      await resumePayment(connector, quick, log, completion),
    ];
    expect(answers).toEqual([
      { kind: 'unknown', cause },
      { kind: 'unknown', cause },
    ]);
  });

  it('is unknown when the completion is of another amount', async () => {
    const resume: Connector['resume'] = async () => ({
      ...{ kind: 'succeeded', reference: 'pay_1', money: { amount: 1, currency: 'USD' } },
      ...{ rawResponseCode: null, rawResponseDescription: null },
    });
    expect(await resumePayment({ ...sandbox, resume }, context, log, completion)).toEqual({
      kind: 'unknown',
      cause: 'unreadable',
    });
  });
});

const PAGE = 'http://127.0.0.1:9/approve/x';
const waiting: SimulatorRequest = {
  ...{ operation: 'authorize', idempotency_key: 'k', amount: 1299, currency: 'USD' },
  approval_page: PAGE,
};

describe('the reference that an authorisation waits for', () => {
  it.each<readonly [string, Partial<SimulatorRequest>, object]>([
    ['a page', {}, { approvalUrl: PAGE }],
    ['a client', { client: 'web' }, { session: true }],
    [
      'money from elsewhere',
      { voucher: true },
      { approvalUrl: PAGE, paymentReference: expect.stringMatching(/^\d{14}$/) },
    ],
  ])('%s', (_, more, awaits) => {
    const { session, approvalUrl, paymentReference } = {
      ...{ session: undefined, approvalUrl: undefined, paymentReference: undefined },
      ...outcomeFromWire(simulate({ ...waiting, ...more })),
    };
    expect({ session, approvalUrl, paymentReference }).toEqual({
      ...{ session: undefined, approvalUrl: undefined, paymentReference: undefined },
      ...awaits,
    });
  });

  it('is a reference that can be stored, or the outcome is unknown', () => {
    const answer = { ...simulate({ ...waiting, voucher: true }), payment_reference: '' };
    expect(outcomeFromWire(answer)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });

  it('ends with the completion', () => {
    expect(simulate({ ...waiting, operation: 'resume', client: 'web' })).toMatchObject({
      result: 'approved',
      amount: 1299,
    });
  });
});

const withSessions = (sessions: Partial<Sessions>): Connector => {
  const { sessions: own } = sandbox;
  if (!own) throw new Error('The sandbox has no sessions');
  return { ...sandbox, sessions: { ...own, ...sessions } };
};

function failing(): never {
  throw new Error('It broke');
}

function hanging(): Promise<never> {
  return new Promise(() => undefined);
}
