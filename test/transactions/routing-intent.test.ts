import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withSaleOnly } from './fraud-house.ts';
import { createService, startHarness, type CreateInput, type Harness } from './harness.ts';

let house: Harness;
/** The first service captures at once. The next one can capture later. */
let saleOnly: string;
let either: string;
beforeAll(async () => {
  house = await startHarness('mock-card', { connectors: withSaleOnly });
  saleOnly = (await house.server.app.db.prisma.paymentService.findFirstOrThrow()).id;
  either = await createService(house.server, house.provider.url, { definitionId: 'mockds-card' });
  await createService(house.server, house.provider.url, { definitionId: 'mock-push' });
});
afterAll(() => house.stop());

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
  const { answer } = await house.ask<{ answer: Explained }>(
    `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) { message
      candidates { paymentService { id } choices } considered { paymentService { id } reasons { code message } } } }`,
    { input: { currency: 'USD', ...input } },
  );
  return {
    ...answer,
    asked: answer.candidates.map(({ paymentService, choices }) => [paymentService.id, choices]),
    against: (id: string) =>
      answer.considered.find(({ paymentService }) => paymentService.id === id)?.reasons ?? [],
  };
}

/** Returns the services that a payment was sent to, with the reasons. */
async function askedFor(input: Partial<CreateInput>) {
  const { transaction, userErrors } = await house.create(input);
  const rows = await house.server.app.db.prisma.operation.findMany({
    where: { transactionId: transaction?.id ?? house.server.app.ids.uuid() },
    orderBy: { id: 'asc' },
  });
  return {
    asked: rows.map(({ paymentServiceId, choice }) => [paymentServiceId, choice]),
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
    const { asked, against } = await explain({});

    expect(await askedFor({})).toEqual({ asked: [[either, 'first']], errors: [] });
    expect(asked).toEqual([[either, ['FIRST']]]);
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
    expect((await askedFor({ amount: 300_013 })).asked).toEqual([[either, 'first']]);
    expect((await askedFor({ amount: 300_013, intent: 'CAPTURE' })).asked).toEqual([
      [saleOnly, 'first'],
      [either, 'after_failure'],
    ]);
  });

  it.each<[string, () => Partial<CreateInput>, Readonly<Record<string, unknown>>]>([
    ['names one', () => ({ paymentServiceId: saleOnly }), {}],
    ['has a method that nobody else takes', () => BY_PUSH, { method: 'oxxo' }],
  ])('is refused when it %s, and nothing happens', async (_what, input, more) => {
    const since = await house.since();
    const { paymentServiceId } = input();

    const { message, asked } = await explain({ ...more, paymentServiceId });

    expect(await askedFor(input())).toEqual({ asked: [], errors: UNSERVED });
    expect(asked).toEqual([]);
    expect(message).toContain(REFUSED);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('is refused for want of a payment service when more than the intent is against it', async () => {
    const { message } = await explain({ method: 'oxxo', country: 'FR' });

    expect(message).toContain('createTransaction would refuse the payment with NO_PAYMENT_SERVICE.');
    expect((await house.create({ ...BY_PUSH, country: 'FR' })).userErrors).toMatchObject([
      { code: 'NO_PAYMENT_SERVICE' },
    ]);
  });
});

describe('a payment with the intent to capture', () => {
  it('goes to the first that accepts it, with or without later captures', async () => {
    const { asked } = await explain({ intent: 'CAPTURE' });
    const pushed = await explain({ intent: 'CAPTURE', method: 'oxxo' });

    expect((await askedFor({ intent: 'CAPTURE' })).asked).toEqual([[saleOnly, 'first']]);
    expect(asked).toEqual([
      [saleOnly, ['FIRST']],
      [either, ['AFTER_FAILURE', 'AFTER_DECLINE']],
    ]);
    expect(pushed.asked).toEqual([[expect.any(String), ['FIRST']]]);
    expect((await askedFor({ ...BY_PUSH, intent: 'CAPTURE' })).errors).toEqual([]);
  });
});
