import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAILURES_MAX } from '../../src/http/checkout/attempt-limit.ts';
import { DECLINES_MAX } from '../../src/modules/payment-links/methods/stored-cards.ts';
import { CARD_FIELDS, send, visit } from './form.ts';
import type { Link } from './harness.ts';
import { startShop, type Shop } from './shop.ts';
import { startWallets, type Wallets } from './wallet.ts';
import { withoutRandom } from '../support/without-random.ts';

let wallets: Wallets;
let shop: Shop;
beforeAll(async () => {
  [wallets, shop] = await Promise.all([
    startWallets({ PAYGRAPH_TRUSTED_PROXIES: '127.0.0.0/8' }),
    startShop(),
  ]);
});
afterAll(() => Promise.all([wallets.stop(), shop.close()]));

const paymentsOf = ({ id }: Link) =>
  wallets.harness.rows<{
    status: string;
    payment_method_id: string | null;
    buyer_id: string | null;
    store: boolean;
  }>(
    'SELECT status, payment_method_id, buyer_id, store FROM transaction WHERE payment_link_id = $1::uuid ORDER BY id',
    id,
  );
const offeredIn = (html: string): readonly string[] =>
  Array.from(html.matchAll(/name="stored" value="([^"]+)"/g), ([, id = '']) => id);
const withStored = (id: string, securityCode = '123') => ({
  ...{ method: 'card', stored: id, security_code: securityCode },
});

describe('the stored cards of the buyer of a link', () => {
  it('are offered with their last digits only, and pay with their security code', async () => {
    const buyerId = await wallets.buyer();
    const id = await wallets.storedCard(buyerId);
    const link = await wallets.made(shop, { buyerId });
    const page = await visit(link);
    expect(offeredIn(page.html)).toEqual([id]);
    const text = withoutRandom(page.html.replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, ''));
    expect([text.includes('1111'), text.includes('12/40'), text.includes('Visa')]).toEqual([
      true,
      true,
      true,
    ]);
    // The page shows neither more digits nor the buyer's identity.
    expect(text).not.toMatch(/4111|Jane|fingerprint/);

    expect((await send(link, page, withStored(id))).html).toContain('Payment successful');
    expect(await paymentsOf(link)).toEqual([
      { status: 'authorization_succeeded', payment_method_id: id, buyer_id: buyerId, store: false },
    ]);
    const call = wallets.harness.provider.calls.at(-1);
    expect(call).toMatchObject({ card: { number: '4111111111111111', cvv: '123' } });
  });

  it.each([
    ['none', '', 422],
    ['letters', 'abc', 422],
    ['too long a one', '12345', 422],
  ])('pay nothing with %s for a security code', async (_, code, status) => {
    const buyerId = await wallets.buyer();
    const id = await wallets.storedCard(buyerId);
    const link = await wallets.made(shop, { buyerId });
    const calls = wallets.harness.provider.calls.length;
    const answer = await send(link, await visit(link), withStored(id, code));

    expect([answer.status, answer.html.includes('Enter the 3 or 4 digits')]).toEqual([status, true]);
    expect(answer.html).toMatch(new RegExp(`value="${id}"\\s+checked`));
    expect([await paymentsOf(link), wallets.harness.provider.calls.length]).toEqual([[], calls]);
  });

  it('are those that can pay: not failed, not expired, of this currency and country', async () => {
    const buyerId = await wallets.buyer();
    const good = await wallets.storedCard(buyerId, { currency: 'USD', country: 'US' });
    for (const change of [
      { status: 'processing' },
      { status: 'failed' },
      { status: 'paused' },
      { expiration_date: '01/20' },
      { currency: 'EUR' },
      { country: 'DE' },
      { instrument_type: 'network_token' },
      { instrument_type: 'redirect_token' },
    ])
      await wallets.storedCard(buyerId, change);
    const others = await wallets.storedCard(await wallets.buyer());

    const link = await wallets.made(shop, { buyerId });
    const page = await visit(link);
    expect(offeredIn(page.html)).toEqual([good]);
    expect(offeredIn((await visit(await wallets.made(shop))).html)).toEqual([]);

    const all = await wallets.harness.rows<{ id: string }>(
      'SELECT id FROM payment_method WHERE buyer_id = $1::uuid AND id <> $2::uuid',
      buyerId,
      good,
    );
    for (const id of [others, all[0]?.id ?? '', 'b'.repeat(36), link.id, "'; --", '']) {
      const answer = await send(link, page, { ...withStored(id), number: '4111', expiry: '12/40' });
      expect([id, answer.status]).toEqual([id, 422]);
    }
    expect(await paymentsOf(link)).toEqual([]);
    expect((await wallets.harness.read(link.id))?.status).toBe('ACTIVE');
  });

  it('are not offered again after three declines at the link, in any process', async () => {
    const buyerId = await wallets.buyer();
    const [first, second] = [await wallets.storedCard(buyerId), await wallets.storedCard(buyerId)];
    const link = await wallets.made(shop, { buyerId, amount: 200_011, cartItems: null });
    for (let count = 0; count < DECLINES_MAX; count += 1) {
      const answer = await send(link, await visit(link), withStored(first, `10${count}`));
      expect(answer.html).toContain('The card has too little money on it');
    }

    const page = await visit(link);
    expect(offeredIn(page.html)).toEqual([second]);
    const refused = await send(link, page, withStored(first));
    expect([refused.status, refused.html.includes('can no longer be used here')]).toEqual([422, true]);
    expect(await paymentsOf(link)).toHaveLength(DECLINES_MAX);
    const other = await wallets.made(shop, { buyerId });
    expect(new Set(offeredIn((await visit(other)).html))).toEqual(new Set([first, second]));
  });

  it('cannot be guessed for ever: refusals count', async () => {
    const buyerId = await wallets.buyer();
    const link = await wallets.made(shop, { buyerId });
    const page = await visit(link);
    const statuses: number[] = [];
    for (let count = 0; count <= FAILURES_MAX.link; count += 1)
      statuses.push((await send(link, page, withStored(wallets.harness.server.app.ids.uuid()))).status);
    expect(statuses.slice(-2)).toEqual([422, 429]);
  });

  it('leave room for another card, which is stored when the link says so', async () => {
    const buyerId = await wallets.buyer();
    const stored = await wallets.storedCard(buyerId);
    const link = await wallets.made(shop, { buyerId, store: true });
    const page = await visit(link);
    expect(page.html).toContain('is stored for later payments');
    await send(link, page, { ...CARD_FIELDS, stored: '', number: '5555555555554444' });
    const [payment] = await paymentsOf(link);
    expect(payment).toMatchObject({ status: 'authorization_succeeded', buyer_id: buyerId, store: true });
    expect([null, stored]).not.toContain(payment?.payment_method_id);

    const again = await wallets.made(shop, { buyerId, store: true, paymentSource: 'RECURRING' });
    await send(again, await visit(again), withStored(stored));
    expect(await paymentsOf(again)).toMatchObject([{ payment_method_id: stored, store: false }]);
  });
});

describe('the stored buyer of a link', () => {
  it('is passed on with a payment that stores nothing', async () => {
    const buyerId = await wallets.buyer();
    const link = await wallets.made(shop, { buyerId });
    await send(link, await visit(link), CARD_FIELDS);
    expect(await paymentsOf(link)).toMatchObject([
      { buyer_id: buyerId, payment_method_id: null, store: false },
    ]);
  });

  it('that was deleted is ignored: the link is paid, unless it stores for that buyer', async () => {
    const buyerId = await wallets.buyer();
    await wallets.storedCard(buyerId);
    const [plain, storing] = [
      await wallets.made(shop, { buyerId }),
      await wallets.made(shop, { buyerId, store: true }),
    ];
    await wallets.harness.ask(
      'mutation ($id: ID!) { answer: deleteBuyer(id: $id) { userErrors { message } } }',
      {
        id: buyerId,
      },
    );
    const page = await visit(plain);
    expect(offeredIn(page.html)).toEqual([]);
    await send(plain, page, CARD_FIELDS);
    expect(await paymentsOf(plain)).toMatchObject([{ status: 'authorization_succeeded', buyer_id: null }]);
    expect((await send(storing, await visit(storing), CARD_FIELDS)).status).toBe(422);
    expect((await wallets.harness.read(storing.id))?.status).toBe('ACTIVE');
  });
});
