import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withSaleOnly } from './fraud-harness.ts';
import { createService, startHarness, type CreateInput, type Harness } from './harness.ts';

let harness: Harness;
/** The first service captures at once. The next one can capture later. */
let saleOnly: string;
let either: string;
beforeAll(async () => {
  harness = await startHarness('mock-card', { connectors: withSaleOnly });
  saleOnly = (await harness.server.app.db.prisma.paymentService.findFirstOrThrow()).id;
  either = await createService(harness.server, harness.provider.url, { definitionId: 'mockds-card' });
  await createService(harness.server, harness.provider.url, { definitionId: 'mock-push' });
});
afterAll(() => harness.stop());

type Explained = {
  readonly message: string;
  readonly candidates: readonly {
    readonly paymentService: { readonly id: string };
    readonly choices: readonly string[];
  }[];
  readonly considered: readonly {
    readonly paymentService: { readonly id: string };
    readonly reasons: readonly { readonly code: string; readonly message: string }[];
  }[];
};

/** Returns the services of the explanation, with the reasons. */
async function explain(input: Readonly<Record<string, unknown>>) {
  const { answer } = await harness.ask<{ answer: Explained }>(
    `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) { message
      candidates { paymentService { id } choices } considered { paymentService { id } reasons { code message } } } }`,
    { input: { currency: 'USD', ...input } },
  );
  return {
    ...answer,
    requested: answer.candidates.map(({ paymentService, choices }) => [paymentService.id, choices]),
    against: (id: string) =>
      answer.considered.find(({ paymentService }) => paymentService.id === id)?.reasons ?? [],
  };
}

/** Returns the services that a payment was sent to, with the reasons. */
async function requestedFor(input: Partial<CreateInput>) {
  const { transaction, userErrors } = await harness.create(input);
  const rows = await harness.server.app.db.prisma.operation.findMany({
    where: { transactionId: transaction?.id ?? harness.server.app.ids.uuid() },
    orderBy: { id: 'asc' },
  });
  return {
    requested: rows.map(({ paymentServiceId, choice }) => [paymentServiceId, choice]),
    errors: userErrors.map(({ code, path }) => [code, path]),
  };
}

const UNSERVED = [['INVALID_INPUT', ['input', 'intent']]];
const REFUSED = 'createTransaction would refuse the payment with INVALID_INPUT: its intent must be CAPTURE.';
const BY_PUSH = {
  paymentMethod: { redirect: { method: 'oxxo' } },
  redirectUrl: 'https://shop.example/back',
};

describe('a payment with the intent to authorise', () => {
  it('passes over a payment service that cannot capture later, and goes to the next one', async () => {
    const { requested, against } = await explain({});

    expect(await requestedFor({})).toEqual({ requested: [[either, 'first']], errors: [] });
    expect(requested).toEqual([[either, ['FIRST']]]);
    expect(against(saleOnly)).toEqual([
      {
        code: 'INTENT',
        message:
          'The payment service cannot capture later (feature delayed_capture), so the intent must be CAPTURE.',
      },
    ]);
  });

  it('does not continue to such a service either', async () => {
    // A technical failure sends the payment to the next service.
    expect((await requestedFor({ amount: 300_013 })).requested).toEqual([[either, 'first']]);
    expect((await requestedFor({ amount: 300_013, intent: 'CAPTURE' })).requested).toEqual([
      [saleOnly, 'first'],
      [either, 'after_failure'],
    ]);
  });

  it.each<[string, () => Partial<CreateInput>, Readonly<Record<string, unknown>>]>([
    ['names one', () => ({ paymentServiceId: saleOnly }), {}],
    ['has a method that nobody else takes', () => BY_PUSH, { method: 'oxxo' }],
  ])('is refused when it %s, and nothing happens', async (_what, input, more) => {
    const since = await harness.since();
    const { paymentServiceId } = input();

    const { message, requested } = await explain({ ...more, paymentServiceId });

    expect(await requestedFor(input())).toEqual({ requested: [], errors: UNSERVED });
    expect(requested).toEqual([]);
    expect(message).toContain(REFUSED);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('is refused for want of a payment service when more than the intent is against it', async () => {
    const { message } = await explain({ method: 'oxxo', country: 'FR' });

    expect(message).toContain('createTransaction would refuse the payment with NO_PAYMENT_SERVICE.');
    expect((await harness.create({ ...BY_PUSH, country: 'FR' })).userErrors).toMatchObject([
      { code: 'NO_PAYMENT_SERVICE' },
    ]);
  });
});

describe('a payment with the intent to capture', () => {
  it('goes to the first that accepts it, with or without later captures', async () => {
    const { requested } = await explain({ intent: 'CAPTURE' });
    const pushed = await explain({ intent: 'CAPTURE', method: 'oxxo' });

    expect((await requestedFor({ intent: 'CAPTURE' })).requested).toEqual([[saleOnly, 'first']]);
    expect(requested).toEqual([
      [saleOnly, ['FIRST']],
      [either, ['AFTER_FAILURE', 'AFTER_DECLINE']],
    ]);
    expect(pushed.requested).toEqual([[expect.any(String), ['FIRST']]]);
    expect((await requestedFor({ ...BY_PUSH, intent: 'CAPTURE' })).errors).toEqual([]);
  });
});
