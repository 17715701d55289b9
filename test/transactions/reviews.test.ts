import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { holdAt } from '../support/hold.ts';
import { reconcileAfter } from './unresolved.ts';
import { openFraudHarness, withSaleOnly, type FraudHarness, type Shown } from './fraud-harness.ts';
import { createService, startHarness, type Harness } from './harness.ts';

const HOUR = 3_600_000;

let harness: Harness;
let fraud: FraudHarness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer', { connectors: withSaleOnly });
  fraud = await openFraudHarness(harness);
});
afterAll(async () => {
  await fraud.close();
  await harness.stop();
});

/** Creates a payment that is captured after an accepted review. */
const held = (input = {}) => fraud.pay('review', { intent: 'CAPTURE', ...input });

const reviewOf = ({ steps }: Shown) =>
  steps.find(({ name }) => name === 'anti-fraud-review-resolved')?.context;

const VOIDED = {
  ...{ status: 'AUTHORIZATION_VOIDED', pendingReview: false, capturedAmount: 0, intentOutcome: 'FAILED' },
};

describe('a payment that is held for a review', () => {
  it('reaches its provider as an authorisation only', async () => {
    const calls = harness.provider.calls.length;
    await held();

    expect(harness.provider.calls.slice(calls)).toMatchObject([{ operation: 'authorize', capture: false }]);
  });

  it('is not captured, and the refusal names the next step', async () => {
    const { id } = await held();
    const since = await harness.since();

    const { userErrors, transaction } = await harness.capture(id);

    expect(transaction).toBeNull();
    const [error, ...others] = userErrors;
    expect(error).toMatchObject({ __typename: 'CaptureHeld', code: 'OPERATION_NOT_ALLOWED', path: ['id'] });
    expect([error?.message, others]).toEqual([expect.stringContaining('resolveReview'), []]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('is found by its anti-fraud decision, and by its open review', async () => {
    const { id } = await held();
    const { transactions } = await harness.ask<{ transactions: { nodes: { id: string }[] } }>(
      `{ transactions(filter: { antiFraudDecision: [REVIEW], pendingReview: true }, first: 100) { nodes { id } } }`,
    );
    const closed = await harness.ask<{ transactions: { nodes: { id: string }[] } }>(
      `{ transactions(filter: { antiFraudDecision: [REVIEW], pendingReview: false }, first: 100) { nodes { id } } }`,
    );

    expect(transactions.nodes[0]?.id).toBe(id);
    expect(closed.transactions.nodes.map((node) => node.id)).not.toContain(id);
  });

  it('can be voided, which ends the review', async () => {
    const { id } = await held();

    await harness.void(id);

    expect(await fraud.show(id)).toMatchObject({
      ...{ ...VOIDED, antiFraudDecision: 'REVIEW', reviewOutcome: 'ENDED' },
    });
    expect(await fraud.resolve(id, { decision: 'ACCEPT' })).toMatchObject({
      transaction: null,
      userErrors: [{ __typename: 'ReviewNotPending', message: expect.stringContaining('voided') as unknown }],
    });
  });

  it('stays held when its void is declined', async () => {
    const { id } = await held({ amount: 510_002 });

    await harness.void(id);

    expect(await fraud.show(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', pendingReview: true, reviewOutcome: 'PENDING' },
    });
    expect(await fraud.resolve(id, { decision: 'ACCEPT' })).toMatchObject({ userErrors: [] });
  });
});

describe('a review that accepts', () => {
  it('captures the whole authorised amount, and records the reviewer', async () => {
    const { id } = await held();
    const since = await harness.since();

    const resolved = await fraud.resolve(id, { decision: 'ACCEPT', comment: 'A customer of ours' });

    expect(resolved).toMatchObject({
      operation: { kind: 'CAPTURE', status: 'SUCCEEDED' },
      transaction: {
        ...{ status: 'CAPTURE_SUCCEEDED', pendingReview: false, capturedAmount: 1299 },
        ...{ intentOutcome: 'SUCCEEDED', antiFraudDecision: 'REVIEW', reviewOutcome: 'ACCEPTED' },
      },
      ...{ userErrors: [], replayed: false },
    });
    expect(since.calls()).toEqual(['capture']);
    expect(await since.eventNames()).toEqual([
      ...['transaction.review-accepted', 'capture.succeeded', 'transaction.captured'],
    ]);
    expect(reviewOf(await fraud.show(id))).toMatchObject({
      ...{ decision: 'accept', source: 'merchant', comment: 'A customer of ours' },
      ...{ api_key_pair_id: expect.any(String), operation_id: resolved.operation?.id },
      anti_fraud_service_id: fraud.serviceId,
    });
  });

  it('captures nothing with the intent to authorise, and allows a capture', async () => {
    const { id } = await fraud.pay('review');

    const resolved = await fraud.resolve(id, { decision: 'ACCEPT' }, 'only authorised');
    const again = await fraud.resolve(id, { decision: 'ACCEPT' }, 'only authorised');

    expect(resolved).toMatchObject({
      ...{ operation: null, userErrors: [], replayed: false },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', pendingReview: false, capturable: { amount: 1299 } },
    });
    expect(again).toEqual({ ...resolved, replayed: true, transaction: expect.anything() as unknown });
    expect(await harness.capture(id)).toMatchObject({ transaction: { status: 'CAPTURE_SUCCEEDED' } });
  });

  it('leaves a payment authorised when the capture is declined, to be captured again', async () => {
    const { id } = await held({ amount: 500_002 });

    expect(await fraud.resolve(id, { decision: 'ACCEPT' })).toMatchObject({
      operation: { kind: 'CAPTURE', status: 'DECLINED' },
      transaction: {
        ...{ status: 'AUTHORIZATION_SUCCEEDED', pendingReview: false, capturable: { amount: 500_002 } },
        ...{ intentOutcome: 'PENDING', reviewOutcome: 'ACCEPTED' },
      },
    });
  });

  it('continues a capture with an unknown outcome until the outcome is known', async () => {
    const { id } = await held();
    harness.provider.failNext('lose_answer');

    const resolved = await fraud.resolve(id, { decision: 'ACCEPT' }, 'unknown outcome');
    expect(resolved.operation).toMatchObject({ kind: 'CAPTURE', status: 'PENDING' });
    await reconcileAfter(harness, HOUR);

    expect(await fraud.show(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', intentOutcome: 'SUCCEEDED' });
    expect(await fraud.resolve(id, { decision: 'ACCEPT' }, 'unknown outcome')).toMatchObject({
      ...{ replayed: true, operation: { id: resolved.operation?.id, status: 'SUCCEEDED' } },
    });
  });
});

describe('a review that rejects', () => {
  it('voids the authorised amount', async () => {
    const { id } = await held();
    const since = await harness.since();

    const resolved = await fraud.resolve(id, { decision: 'REJECT' });

    expect(resolved).toMatchObject({
      ...{ operation: { kind: 'VOID', status: 'SUCCEEDED' }, userErrors: [] },
      transaction: { ...VOIDED, reviewOutcome: 'REJECTED' },
    });
    expect(since.calls()).toEqual(['void']);
    expect(await since.eventNames()).toEqual(['transaction.review-rejected', 'transaction.voided']);
  });

  it('blocks captures when its void is declined, and can be voided again', async () => {
    const { id } = await held({ amount: 510_002 });

    const resolved = await fraud.resolve(id, { decision: 'REJECT' });

    expect(resolved).toMatchObject({
      operation: { kind: 'VOID', status: 'DECLINED' },
      transaction: {
        ...{ status: 'AUTHORIZATION_SUCCEEDED', pendingReview: false, reviewOutcome: 'REJECTED' },
        capturable: { amount: 0 },
      },
    });
    expect((await harness.capture(id)).userErrors).toMatchObject([{ __typename: 'CaptureHeld' }]);
    expect((await harness.void(id)).userErrors).toEqual([]);
  });

  it('voids nothing for an authorisation of zero', async () => {
    const { id } = await fraud.pay('review', { amount: 0 });

    expect(await fraud.resolve(id, { decision: 'REJECT' })).toMatchObject({
      ...{ operation: null, userErrors: [] },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', pendingReview: false },
    });
  });
});

describe('of several concurrent decisions', () => {
  it('the first counts, and the other caller receives its result', async () => {
    const { id } = await held();
    const since = await harness.since();

    const both = await Promise.all([
      fraud.resolve(id, { decision: 'ACCEPT' }),
      fraud.resolve(id, { decision: 'REJECT' }),
    ]);

    const [won, ...others] = both.filter(({ userErrors }) => userErrors.length === 0);
    expect(others).toEqual([]);
    const lost = both.find((each) => each !== won);
    expect(lost).toMatchObject({ transaction: null, userErrors: [{ __typename: 'ReviewNotPending' }] });
    expect(since.calls()).toEqual([won?.operation?.kind.toLowerCase()]);
    expect((await fraud.show(id)).status).toBe(won?.transaction?.status);
  });

  it('an earlier void counts, and a void after an acceptance is refused', async () => {
    const voided = await held();
    const waiting = holdAt('void.claimed');
    const voiding = harness.void(voided.id);
    await waiting.reached;
    const tooLate = await fraud.resolve(voided.id, { decision: 'REJECT' });
    waiting.go();
    await voiding;
    expect(tooLate.userErrors).toMatchObject([{ __typename: 'ReviewNotPending' }]);
    expect(await fraud.show(voided.id)).toMatchObject(VOIDED);

    const accepted = await held();
    const capturing = holdAt('capture.claimed');
    const accepting = fraud.resolve(accepted.id, { decision: 'ACCEPT' });
    await capturing.reached;
    expect((await harness.void(accepted.id)).userErrors).toMatchObject([
      { __typename: 'OperationNotAllowed' },
    ]);
    capturing.go();
    expect(await accepting).toMatchObject({ transaction: { status: 'CAPTURE_SUCCEEDED' } });
  });

  it('those with one key get one answer, and other input under the key is refused', async () => {
    const { id } = await held();
    const since = await harness.since();
    const accept = () => fraud.resolve(id, { decision: 'ACCEPT' }, 'one review');

    const answers = await Promise.all([accept(), accept(), accept()]);

    expect(new Set(answers.map(({ operation }) => operation?.id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(answers.map(({ transaction }) => transaction?.status)).toEqual(
      Array.from({ length: 3 }, () => 'CAPTURE_SUCCEEDED'),
    );
    expect(since.calls()).toEqual(['capture']);
    expect((await fraud.resolve(id, { decision: 'REJECT' }, 'one review')).userErrors).toMatchObject([
      { __typename: 'IdempotencyKeyReused' },
    ]);
  });
});

describe('a review is refused', () => {
  it.each([
    ['of a payment that was accepted', 'accept'],
    ['of a payment that was rejected', 'reject'],
  ])('%s', async (_, reported) => {
    const { id } = await fraud.pay(reported);

    expect((await fraud.resolve(id, { decision: 'ACCEPT' })).userErrors).toMatchObject([
      { __typename: 'ReviewNotPending' },
    ]);
  });

  it('of another merchant account’s payment, like an unknown one', async () => {
    const { id } = await held();
    const { token } = await harness.server.createMerchantAccount();
    const document = `mutation ($id: ID!) { answer: resolveReview(id: $id, input: { decision: REJECT }) {
      userErrors { __typename message } } }`;
    const of = async (each: string) =>
      (await harness.server.graphql<{ answer: unknown }>(document, { id: each }, { token })).body.data
        ?.answer;

    expect(await of(id)).toEqual(await of('0196c2f0-0000-7000-8000-000000000000'));
    expect(await of(id)).toMatchObject({ userErrors: [{ __typename: 'NotFound' }] });
    expect(await fraud.show(id)).toMatchObject({ pendingReview: true });
  });
});

describe('a payment service that captures at once', () => {
  it('is passed over for one that can hold the payment, before any call', async () => {
    // The newest service comes last, so the test disables the first one.
    const { paymentServices } = await harness.ask<{ paymentServices: { nodes: { id: string }[] } }>(
      '{ paymentServices(first: 100) { nodes { id } } }',
    );
    const first = paymentServices.nodes.at(-1)?.id;
    await setActive(first, false);
    await createService(harness.server, harness.provider.url, { definitionId: 'mock-card' });
    await createService(harness.server, harness.provider.url, { definitionId: 'mock-acquirer' });
    const since = await harness.since();

    const payment = await held();

    expect(payment).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', pendingReview: true });
    expect(payment['attempts']).toMatchObject([
      { status: 'FAILED', errorCode: 'unsupported_transaction' },
      { status: 'SUCCEEDED', errorCode: null },
    ]);
    expect(since.calls()).toEqual(['authorize']);
  });

  it('that the payment names ends the payment without a call', async () => {
    const since = await harness.since();
    const { paymentServices } = await harness.ask<{
      paymentServices: { nodes: { id: string; paymentServiceDefinitionId: string }[] };
    }>('{ paymentServices(first: 100) { nodes { id paymentServiceDefinitionId } } }');
    const sale = paymentServices.nodes.find((each) => each.paymentServiceDefinitionId === 'mock-card');

    const payment = await held({ paymentServiceId: sale?.id });

    expect(payment).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'unsupported_transaction', pendingReview: false },
      reviewOutcome: null,
    });
    expect(since.calls()).toEqual([]);
  });
});

const setActive = (id: string | undefined, active: boolean) =>
  harness.ask(
    `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) { updatePaymentService(id: $id, input: $input) { userErrors { message } } }`,
    { id, input: { active } },
  );
