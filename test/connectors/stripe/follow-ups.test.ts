import { describe, expect, it } from '@jest/globals';
import { captured, charge, errorOf, intent, KEY, OTHER_KEY, page, refund, setup } from './objects.ts';
import { openStub } from './stub.ts';

const stub = await openStub();

const money = { amount: 1099, currency: 'USD' };
const REQUEST = { key: KEY, money, reference: 'pi_1' };
const NAME = 'capture_01993c1e7d4a7c559d3e2f1b6a0c4d5e';
const OTHER_NAME = 'capture_01993c1e7d4a7c559d3e2f1b6a0c4d5f';

const calls = () => stub.arrived.map(({ call }) => call);
const UNEXPECTED = { status: 400, body: errorOf({ code: 'payment_intent_unexpected_state' }) };

describe('a capture', () => {
  const send = (changes: object = {}) =>
    stub.connector.capture(stub.context(), { ...REQUEST, final: true, ...changes });

  it('names itself in the payment, with its amount', async () => {
    stub.answer({ body: captured({ metadata: { [NAME]: '1099' } }) });

    expect(await send()).toEqual({
      ...{ kind: 'succeeded', reference: 'ch_1', money, authResponseCode: '123456' },
      ...{ rawResponseCode: null, rawResponseDescription: null },
    });

    expect(calls()).toEqual(['POST /v1/payment_intents/pi_1/capture']);
    expect(stub.arrived[0]?.headers['idempotency-key']).toBe(KEY);
    expect(stub.arrived[0]?.form).toEqual({
      ...{ amount_to_capture: '1099', [`metadata[${NAME}]`]: '1099', 'expand[]': 'latest_charge' },
    });
  });

  it('of a part takes the money from what was received', async () => {
    stub.answer({ body: captured({ amount_received: 400, metadata: { [NAME]: '400' } }) });
    expect(await send({ money: { amount: 400, currency: 'USD' } })).toMatchObject({
      ...{ kind: 'succeeded', money: { amount: 400, currency: 'USD' } },
    });
  });

  it('with more to follow asks the payment first', async () => {
    const several = charge({}, { multicapture: { status: 'available' } });
    const metadata = { [OTHER_NAME]: '600', [NAME]: '400' };
    stub.answer(
      { body: intent({ latest_charge: several }) },
      { body: intent({ amount_received: 1000, metadata }) },
    );
    expect(await send({ final: false, money: { amount: 400, currency: 'USD' } })).toMatchObject({
      ...{ kind: 'succeeded', money: { amount: 400, currency: 'USD' } },
    });
    expect(calls()).toEqual(['GET /v1/payment_intents/pi_1', 'POST /v1/payment_intents/pi_1/capture']);
    expect(stub.arrived[1]?.form).toMatchObject({ final_capture: 'false' });
  });

  it('of the last money, with more to follow, is repeated although the payment takes no further one', async () => {
    const body = captured({ metadata: { [NAME]: '1099' } });
    stub.answer({ body }, { body });
    expect(await send({ final: false })).toMatchObject({ kind: 'succeeded', money });
    expect(calls()).toEqual(['GET /v1/payment_intents/pi_1', 'POST /v1/payment_intents/pi_1/capture']);
  });

  it('with more to follow is refused where the payment takes one only', async () => {
    stub.answer({ body: intent() });
    expect(await send({ final: false })).toMatchObject({
      ...{ kind: 'failed', errorCode: 'unsupported_transaction' },
      rawResponseDescription: expect.stringContaining('takes one capture only'),
    });
    expect(calls()).toEqual(['GET /v1/payment_intents/pi_1']);
  });

  it('that happened before is found after a refusal', async () => {
    stub.answer(UNEXPECTED, { body: captured({ metadata: { [NAME]: '1099' } }) });
    expect(await send()).toMatchObject({ kind: 'succeeded', money });
  });

  it('that happened before keeps its own money beside a capture elsewhere', async () => {
    const body = captured({ amount_received: 1299, metadata: { [NAME]: '1099' } });
    stub.answer(UNEXPECTED, { body });
    expect(await send()).toMatchObject({ kind: 'succeeded', money });
  });

  it('that did not happen has failed after a refusal', async () => {
    stub.answer(UNEXPECTED, { body: captured({ metadata: { [OTHER_NAME]: '1099' } }) });
    expect(await send()).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
  });

  it('of an expired authorisation declines', async () => {
    stub.answer(
      { status: 400, body: errorOf({ code: 'charge_expired_for_capture' }) },
      { body: intent({ status: 'canceled' }) },
    );
    expect(await send()).toMatchObject({ kind: 'declined', errorCode: 'expired_authorization' });
  });

  it.each([
    ['less', captured({ amount_received: 999, metadata: { [NAME]: '1099' } })],
    ['more', captured({ amount_received: 1299, metadata: { [NAME]: '1099' } })],
    ['less beside another capture', captured({ metadata: { [NAME]: '1099', [OTHER_NAME]: '1' } })],
  ])('of %s money than asked for needs a look-up', async (_, body) => {
    stub.answer({ body });
    expect(await send()).toEqual({ kind: 'unknown', cause: 'unreadable', arrived: true });
  });

  it('in an unknown state is unknown', async () => {
    stub.answer({ body: captured({ status: 'a_new_word' }) });
    expect(await send()).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});

describe('an increase', () => {
  const RAISE = 'raise_01993c1e7d4a7c559d3e2f1b6a0c4d5e';
  const raised = intent({ amount: 1199, amount_capturable: 1199, metadata: { [RAISE]: '100' } });
  const send = () =>
    stub.connector.increase?.(stub.context(), {
      ...{ ...REQUEST, money: { amount: 100, currency: 'USD' }, total: { amount: 1199, currency: 'USD' } },
    });

  it('asks for the new total', async () => {
    stub.answer({ body: raised });
    expect(await send()).toMatchObject({ kind: 'succeeded', money: { amount: 100, currency: 'USD' } });
    expect(calls()).toEqual(['POST /v1/payment_intents/pi_1/increment_authorization']);
    expect(stub.arrived[0]?.form).toMatchObject({ amount: '1199', [`metadata[${RAISE}]`]: '100' });
  });

  it.each([
    ['named by its payment is found, also after the end of the payment', { [RAISE]: '100' }, 'succeeded'],
    ['that its payment does not name is not found', {}, undefined],
  ] as const)('%s', async (_, metadata, kind) => {
    stub.answer({ body: intent({ status: 'canceled', metadata }) });
    const found = await stub.connector.lookup(stub.context(), {
      ...{ ...REQUEST, verb: 'increase', money: { amount: 100, currency: 'USD' } },
      ...{ createdAt: new Date(0), approval: null, resuming: false },
    });
    expect(found?.kind).toBe(kind);
  });

  it('of another total or currency is unknown', async () => {
    stub.answer({ body: { ...raised, amount: 1198 } }, { body: { ...raised, currency: 'eur' } });
    const answers = [await send(), await send()];
    expect(answers).toEqual(answers.map(() => ({ kind: 'unknown', cause: 'unreadable' })));
  });
});

describe('a refund', () => {
  const part = { amount: 400, currency: 'USD' };
  const send = () => stub.connector.refund(stub.context(), { ...REQUEST, money: part, captures: [] });

  it('is of the payment, and carries our key', async () => {
    stub.answer({ body: refund() });
    expect(await send()).toMatchObject({ kind: 'succeeded', reference: 're_1', money: part });
    expect(stub.arrived[0]).toMatchObject({ call: 'POST /v1/refunds' });
    expect(stub.arrived[0]?.form).toEqual({
      ...{ payment_intent: 'pi_1', amount: '400' },
      ...{ 'metadata[paygraph_operation]': KEY, 'metadata[paygraph_verb]': 'refund' },
    });
  });

  it.each([
    ['pending', { kind: 'accepted', reference: 're_1' }],
    ['requires_action', { kind: 'accepted', reference: 're_1' }],
    ['failed', { kind: 'failed', errorCode: 'canceled_payment_method' }],
    ['canceled', { kind: 'failed', errorCode: 'canceled' }],
    ['a_new_word', { kind: 'unknown', cause: 'unreadable' }],
    [null, { kind: 'unknown', cause: 'unreadable' }],
  ])('that is %s is %j', async (status, expected) => {
    stub.answer({ body: refund({ status, failure_reason: 'lost_or_stolen_card' }) });
    expect(await send()).toMatchObject(expected);
  });

  it('that happened before is found after a refusal', async () => {
    const others = refund({ id: 're_0', metadata: { paygraph_operation: OTHER_KEY } });
    stub.answer(
      { status: 400, body: errorOf({ code: 'charge_already_refunded' }) },
      { body: page([others], true) },
      { body: page([refund()]) },
    );
    expect(await send()).toMatchObject({ kind: 'succeeded', reference: 're_1' });
    expect(stub.arrived[2]?.form).toEqual({ payment_intent: 'pi_1', limit: '100', starting_after: 're_0' });
  });

  it('that did not happen has failed after a refusal', async () => {
    stub.answer({ status: 400, body: errorOf({ code: 'charge_already_refunded' }) }, { body: page([]) });
    expect(await send()).toMatchObject({ kind: 'failed', errorCode: 'refund_already_satisfied' });
  });
});

describe('a void', () => {
  const send = () => stub.connector.void(stub.context(), REQUEST);

  it('cancels the payment', async () => {
    stub.answer({ body: intent({ status: 'canceled', amount_capturable: 0 }) });
    expect(await send()).toMatchObject({ kind: 'succeeded', reference: 'pi_1', money });
    expect(calls()).toEqual(['POST /v1/payment_intents/pi_1/cancel']);
  });

  it('that happened before is found after a refusal', async () => {
    stub.answer(UNEXPECTED, { body: intent({ status: 'canceled' }) });
    expect(await send()).toMatchObject({ kind: 'succeeded', reference: 'pi_1' });
  });

  it('of a captured payment fails', async () => {
    stub.answer(UNEXPECTED, { body: captured() });
    expect(await send()).toMatchObject({ kind: 'failed', errorCode: 'unexpected_state' });
  });

  it('that leaves the payment as it was is unknown', async () => {
    stub.answer({ body: intent() });
    expect(await send()).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});

describe('a cancel', () => {
  const send = (reference: string | null) =>
    stub.connector.cancel(stub.context(), {
      ...{ key: OTHER_KEY, authorizationKey: KEY, reference, money, createdAt: new Date(), resuming: false },
    });
  const gone = intent({ status: 'canceled', latest_charge: null });

  it('by the id cancels the payment', async () => {
    stub.answer({ body: gone });
    expect(await send('pi_1')).toMatchObject({ kind: 'succeeded', reference: 'pi_1', money });
    expect(stub.arrived[0]?.headers['idempotency-key']).toBe(OTHER_KEY);
  });

  it('of a stored method cancels the setup', async () => {
    stub.answer({ body: setup({ status: 'canceled' }) });
    expect(await send('seti_1')).toMatchObject({ kind: 'succeeded', reference: 'seti_1' });
    expect(calls()).toEqual(['POST /v1/setup_intents/seti_1/cancel']);
  });

  it('without the id finds the payment', async () => {
    stub.answer({ body: page([intent()]) }, { body: gone });
    expect(await send(null)).toMatchObject({ kind: 'succeeded', reference: 'pi_1' });
    expect(calls()).toEqual(['GET /v1/payment_intents/search', 'POST /v1/payment_intents/pi_1/cancel']);
  });

  it('of a payment that never arrived takes its key, so that it never will', async () => {
    const empty = intent({ id: 'pi_2', status: 'requires_payment_method', payment_method: null });
    stub.answer({ body: page([]) }, { body: page([]) }, { body: empty }, { body: { ...gone, id: 'pi_2' } });
    expect(await send(null)).toMatchObject({ kind: 'succeeded', reference: 'pi_2' });
    expect(calls().slice(2)).toEqual(['POST /v1/payment_intents', 'POST /v1/payment_intents/pi_2/cancel']);
    expect(stub.arrived[2]?.headers['idempotency-key']).toBe(KEY);
    expect(stub.arrived[2]?.form).not.toHaveProperty('confirm');
    expect(stub.arrived[2]?.form).not.toHaveProperty('payment_method');
  });

  it('of a payment that nobody finds yet is unknown', async () => {
    stub.answer(
      { body: page([]) },
      { body: page([]) },
      { status: 400, body: errorOf({ type: 'idempotency_error' }) },
    );
    expect(await send(null)).toEqual({ kind: 'unknown', cause: 'server_error' });
  });
});

describe('a look-up', () => {
  const createdAt = new Date('2026-11-24T10:00:00Z');
  const look = (verb: 'authorize' | 'capture' | 'refund' | 'void' | 'cancel', changes: object = {}) =>
    stub.connector.lookup(stub.context(), {
      ...{ key: KEY, verb, reference: 'pi_1', money, createdAt, approval: null, resuming: false, ...changes },
    });

  it('reads an authorisation by its id', async () => {
    stub.answer({ body: intent() });
    expect(await look('authorize')).toMatchObject({ kind: 'succeeded', money });
    expect(stub.arrived[0]?.form).toEqual({ 'expand[]': 'latest_charge' });
  });

  it('searches an authorisation by our key', async () => {
    stub.answer({ body: page([intent()]) });
    expect(await look('authorize', { reference: null })).toMatchObject({ kind: 'succeeded', money });
    expect(stub.arrived[0]?.form).toEqual({
      ...{ query: `metadata['paygraph_operation']:'${KEY}'`, 'expand[]': 'data.latest_charge' },
    });
  });

  it('goes through the list where the search is late, page by page', async () => {
    const others = intent({ id: 'pi_0', metadata: {} });
    stub.answer({ body: page([]) }, { body: page([others], true) }, { body: page([intent()]) });
    expect(await look('authorize', { reference: null })).toMatchObject({ kind: 'succeeded', money });
    const from = createdAt.getTime() / 1_000 - 60;
    expect(stub.arrived[1]?.form).toEqual({
      ...{ 'created[gte]': String(from), 'created[lte]': String(from + 86_400) },
      ...{ limit: '100', 'expand[]': 'data.latest_charge' },
    });
    expect(stub.arrived[2]?.form).toMatchObject({ starting_after: 'pi_0' });
  });

  it('goes through the list where the account has no search', async () => {
    stub.answer({ status: 400, body: errorOf({}) }, { body: page([intent()]) });
    expect(await look('authorize', { reference: null })).toMatchObject({ kind: 'succeeded' });
  });

  it('finds nothing, which proves nothing', async () => {
    stub.answer({ body: page([]) }, { body: page([]) });
    expect(await look('authorize', { reference: null })).toBeNull();
  });

  it('never takes the payment of another key', async () => {
    stub.answer(
      { body: intent({ metadata: { paygraph_operation: OTHER_KEY } }) },
      { body: page([]) },
      { body: page([]) },
    );
    expect(await look('authorize')).toBeNull();
  });

  it('of a stored method goes through the setups', async () => {
    stub.answer({ body: page([setup()]) });
    const nothing = { amount: 0, currency: 'EUR' };
    expect(await look('authorize', { reference: null, money: nothing })).toMatchObject({
      ...{ kind: 'succeeded', money: nothing, recurringToken: 'cus_1/pm_1' },
    });
    expect(calls()).toEqual(['GET /v1/setup_intents']);
  });

  it('is unknown while Stripe does not answer', async () => {
    stub.answer({ status: 500, body: {} });
    expect(await look('authorize', { reference: null })).toEqual({ kind: 'unknown', cause: 'server_error' });
    stub.answer({ status: 401, body: errorOf({}) });
    expect(await look('capture')).toEqual({ kind: 'unknown', cause: 'server_error' });
  });

  it('finds a capture by its name in the payment', async () => {
    stub.answer({ body: captured({ metadata: { [NAME]: '1099' } }) }, { body: captured() });
    expect(await look('capture')).toMatchObject({ kind: 'succeeded', reference: 'ch_1', money });
    expect(await look('capture')).toBeNull();
  });

  it('finds a refund among those of its payment', async () => {
    stub.answer({ body: page([refund()]) }, { body: page([refund({ metadata: {} })]) });
    expect(await look('refund')).toMatchObject({ kind: 'succeeded', reference: 're_1' });
    expect(await look('refund')).toBeNull();
  });

  it('finds a void in the state of the payment', async () => {
    stub.answer({ body: intent({ status: 'canceled' }) }, { body: intent() });
    expect(await look('void')).toMatchObject({ kind: 'succeeded', money });
    expect(await look('void')).toBeNull();
  });

  it('of a payment that Stripe does not know finds nothing', async () => {
    stub.answer({ status: 404, body: errorOf({ code: 'resource_missing', param: 'intent' }) });
    expect(await look('capture')).toBeNull();
    expect(await look('capture', { reference: null })).toBeNull();
  });
});
