import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAILURES_MAX } from '../../src/http/checkout/attempt-limit.ts';
import { requestReceipt } from '../../src/modules/payment-links/index.ts';
import { findTransactionsOfLinks } from '../../src/modules/transactions/index.ts';
import { payloadFaults } from '../events/payload-faults.ts';
import { everythingOf, startLinks, type Link, type LinksHarness } from './harness.ts';

let harness: LinksHarness;
beforeAll(async () => void (harness = await startLinks('mock-acquirer')));
afterAll(() => harness.stop());

const ADDRESS = 'jane@example.com';

async function paid(input: object = { offersReceipt: true }): Promise<Link> {
  const link = await harness.made(input);
  expect(await harness.pay(link)).toMatchObject({ ok: true, value: { link: { status: 'completed' } } });
  return link;
}

/** The cookie and the form key of a browser that has loaded the page. */
type Visit = { readonly cookie: string; readonly formKey: string; readonly html: string };

async function visit({ url }: Link): Promise<Visit> {
  const reply = await fetch(url);
  const html = await reply.text();
  const formKey = /name="form_key" value="([^"]*)"/.exec(html)?.[1] ?? '';
  return { cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '', formKey, html };
}

const ask = ({ url }: Link, { cookie, formKey }: Visit, email = ADDRESS) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ form_key: formKey, method: 'receipt', email }),
  });

/** Reads the requests for a receipt in the events of a link. */
async function requestsOf({ id }: Link): Promise<readonly { readonly target: object }[]> {
  const found = await harness.rows<{ payload: string }>(
    `SELECT payload FROM event WHERE target_id = $1 AND name = 'payment-link.receipt-requested'`,
    id,
  );
  return found.map(({ payload }) => JSON.parse(payload) as { readonly target: object });
}

describe('the receipt of a paid link', () => {
  it('is requested by one event with the link, the payment and the address', async () => {
    const link = await paid();
    const reply = await ask(link, await visit(link), `  ${ADDRESS} `);

    expect([reply.status, reply.headers.get('location')]).toEqual([303, new URL(link.url).pathname]);
    const shown = await harness.read(link.id);
    const [event] = await requestsOf(link);
    expect(event?.target).toMatchObject({
      ...{ type: 'payment-link', id: link.id, status: 'completed', amount: 1299, currency: 'USD' },
      ...{ transaction_id: shown?.transactions[0]?.id, email_address: ADDRESS },
      updated_at: shown?.['receiptRequestedAt'],
    });
    expect((await harness.notified(link.id)).at(-1)).toBe('payment-link.receipt-requested completed');
    const [stored] = await harness.rows<{ payload: string }>(
      `SELECT payload FROM event WHERE name = 'payment-link.receipt-requested' AND target_id = $1`,
      link.id,
    );
    expect(payloadFaults(stored?.payload ?? '')).toEqual([]);
  });

  it('is requested once when twenty ask at once, and later requests change nothing', async () => {
    const link = await paid();
    const visited = await visit(link);
    const addresses = Array.from({ length: 20 }, (_, at) => `buyer${at}@example.com`);
    const replies = await Promise.all(addresses.map((address) => ask(link, visited, address)));
    const before = await harness.read(link.id);
    replies.push(await ask(link, visited, 'late@example.com'), await ask(link, visited, 'no address'));

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await requestsOf(link)).toHaveLength(1);
    expect(await harness.read(link.id)).toEqual(before);
  });

  it('is requested once when the module is asked at once', async () => {
    const link = await paid();
    const { app } = harness.server;
    const found = await harness.found(link);
    const [transactions = []] = await findTransactionsOfLinks(app, found, [link.id]);
    const asked = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        requestReceipt(app, { link: found, transactions }, `buyer${at}@example.com`),
      ),
    );

    expect(new Set(asked.map(({ ok }) => ok))).toEqual(new Set([true]));
    expect(await requestsOf(link)).toHaveLength(1);
  });

  it('leaves the address in no other row, and on no page', async () => {
    const link = await paid();
    await ask(link, await visit(link), 'secret.address@example.com');

    const kept = await everythingOf(
      harness,
      'payment_link',
      'payment_link_term',
      'transaction',
      'audit_entry',
    );
    expect(kept).not.toContain('secret.address');
    const { html } = await visit(link);
    expect(html).not.toMatch(/secret\.address|name="email"/);
    expect(html).toContain('has your e-mail address');
    expect(harness.server.logs()).not.toContain('secret.address');
  });

  it('is offered by no link that does not say so', async () => {
    const link = await paid({});
    const visited = await visit(link);
    const reply = await ask(link, visited);

    expect(visited.html).not.toContain('name="email"');
    expect(reply.status).toBe(303);
    expect(await harness.read(link.id)).toMatchObject({ offersReceipt: false, receiptRequestedAt: null });
    expect(await requestsOf(link)).toEqual([]);
  });

  it.each([
    ['open', async () => null],
    ['expired', ({ id }: Link) => harness.expire(id)],
    ['declined', (link: Link) => harness.pay(link)],
  ] as const)('is refused by a link that is %s', async (state, go) => {
    const link = await harness.made({
      offersReceipt: true,
      ...(state === 'declined' && { amount: 200_011 }),
    });
    const visited = await visit(link);
    await go(link);
    const before = await harness.read(link.id);
    const reply = await ask(link, visited);

    expect([visited.html.includes('name="email"'), reply.status]).toEqual([false, 303]);
    expect(await harness.read(link.id)).toEqual(before);
    expect(await requestsOf(link)).toEqual([]);
  });

  it('is refused after the payment was taken back', async () => {
    const link = await paid({ offersReceipt: true, intent: 'CAPTURE' });
    const visited = await visit(link);
    const { app } = harness.server;
    const found = await harness.found(link);
    const [[payment] = []] = await findTransactionsOfLinks(app, found, [link.id]);
    if (!payment) throw new Error('The link has no payment.');
    const returned = { ...payment, capturedAmount: 0, captureReversedAmount: 1299 };

    const asked = await requestReceipt(app, { link: found, transactions: [returned] }, ADDRESS);
    expect(asked).toEqual({ ok: false, refusals: [{ kind: 'ReceiptNotOffered' }] });
    expect(await requestsOf(link)).toEqual([]);
    expect((await ask(link, visited)).status).toBe(303);
  });

  it.each([
    ...['', 'jane', 'jane@', '@example.com', 'jane@example', 'jane doe@example.com', 'jane@exa mple.com'],
    ...['jane@example.com,joe@example.com', 'Jane <jane@example.com>', 'jane@example..com', 'jane@-a.com'],
    ...[`${'x'.repeat(65)}@example.com`, `jane@${'x.'.repeat(130)}com`, 'jane@example.com\nBcc: joe@a.com'],
    ...['4111111111111111@example.com', '"><script>@example.com'],
  ])('refuses the address %j with a sentence at the field', async (address) => {
    const link = await paid();
    const reply = await ask(link, await visit(link), address);
    const html = await reply.text();

    expect(reply.status).toBe(422);
    expect(html).toMatch(/<p class="error" id="email-error">Enter a complete e-mail address/);
    expect(html).not.toMatch(/4111111111111111|"><script>@/);
    expect(await requestsOf(link)).toEqual([]);
    expect((await ask(link, await visit(link))).status).toBe(303);
    expect(await requestsOf(link)).toHaveLength(1);
  });

  it('is held back after too many refused addresses, and accepted after the wait', async () => {
    const link = await paid({ offersReceipt: true, expiresAt: '2099-01-01T00:00:00Z' });
    const visited = await visit(link);
    for (let count = 0; count < FAILURES_MAX.link; count += 1)
      expect((await ask(link, visited, 'jane')).status).toBe(422);
    const held = await ask(link, visited);

    expect([held.status, Number(held.headers.get('retry-after')) > 800]).toEqual([429, true]);
    expect(await held.text()).toContain('Too many attempts. Please wait 15 minutes');
    expect(await requestsOf(link)).toEqual([]);
    harness.clock.advance(16 * 60_000);
    expect((await ask(link, visited)).status).toBe(303);
    expect(await requestsOf(link)).toHaveLength(1);
  });

  it('accepts a form only from its own page in the same browser', async () => {
    const [link, other] = [await paid(), await paid()];
    const [own, ownAgain, foreign] = [await visit(link), await visit(link), await visit(other)];
    const wrong = [
      { ...own, cookie: '' },
      { ...own, formKey: '' },
      { ...own, cookie: ownAgain.cookie },
      { ...own, formKey: foreign.formKey },
      foreign,
    ];
    for (const each of wrong) expect((await ask(link, each)).status).toBe(403);
    expect(await requestsOf(link)).toEqual([]);
    expect((await ask(link, own)).status).toBe(303);
  });
});

describe('creating a link with a receipt', () => {
  it('replays its answer, and takes a key of a link without one as another request', async () => {
    const [first, again] = [
      await harness.create({ offersReceipt: true }, 'receipt-1'),
      await harness.create({ offersReceipt: true }, 'receipt-1'),
    ];
    expect(first.paymentLink).toMatchObject({ offersReceipt: true, receiptRequestedAt: null });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await harness.create({}, 'receipt-1')).toMatchObject({
      userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
    });
  });
});
