import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAILURES_MAX } from '../../src/http/checkout/attempt-limit.ts';
import { CARDS_COOKIE_MS } from '../../src/http/checkout/methods/gift-card-cookie.ts';
import { shareOut } from '../../src/modules/payment-links/index.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { addGiftCard, CARD_FIELDS, send, visit, type Visit } from './form.ts';
import { everythingOf, type Link } from './harness.ts';
import { startShop, type Shop } from './shop.ts';
import { giftCard, startWallets, WRONG_PIN, type Wallets } from './wallet.ts';
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

const made = (input: object = {}): Promise<Link> =>
  wallets.made(shop, { amount: 5000, cartItems: null, ...input });
const paymentsOf = ({ id }: Link) =>
  wallets.harness.rows<{ id: string; status: string; method: string; gift_card_amount: number }>(
    'SELECT id, status, method, gift_card_amount FROM transaction WHERE payment_link_id = $1::uuid ORDER BY id',
    id,
  );
const redemptionsOf = (link: Link) =>
  wallets.harness.rows<{ amount: number; status: string; last_four: string }>(
    `SELECT r.amount, r.status, r.last_four FROM redemption r JOIN transaction t ON t.id = r.transaction_id
     WHERE t.payment_link_id = $1::uuid ORDER BY t.id, r.ordinal`,
    link.id,
  );
const requested = (): number => wallets.giftCards.calls.length;
const takes = (html: string): boolean => html.includes('Use a gift card');
/** Reads from the page how much gift cards pay, and the rest. */
const pricesIn = (html: string): readonly string[] => {
  const list = /<ul class="items gifts">(.*?)<\/ul>/s.exec(html)?.[1] ?? '';
  return Array.from(list.matchAll(/class="price"><bdi>([^<]*)</g), ([, price = '']) => price);
};
const slipOf = (link: Link, { cookies }: Pick<Visit, 'cookies'>) => cookies[`gift_${link.id}`];

describe('gift cards', () => {
  it('split an amount, each with its whole balance, until nothing is left', () => {
    const cards = [300, 500, 400].map((balance) => ({ number: '1', pin: '1', lastFour: '1', balance }));
    const out = (amount: number) => {
      const { payingCards, left } = shareOut(amount, cards);
      return [...payingCards.map(({ amount: part }) => part), left];
    };
    expect([200, 300, 700, 1200, 1300].map(out)).toEqual([
      [200, 0],
      [300, 0],
      [300, 400, 0],
      [300, 500, 400, 0],
      [300, 500, 400, 100],
    ]);
  });
});

describe('gift cards on the page of a link', () => {
  it('pay a part of it, and a card the rest', async () => {
    const [link, one, two] = [await made(), giftCard(1200), giftCard(800)];
    const first = await send(link, await visit(link), addGiftCard(one));
    expect([first.status, pricesIn(first.html)]).toEqual([303, ['−$12.00', '$38.00']]);
    const second = await send(link, first, addGiftCard(two));
    expect(pricesIn(second.html)).toEqual(['−$12.00', '−$8.00', '$30.00']);
    expect(second.html).toMatch(/Pay <bdi>\$30.00/);

    expect((await send(link, second, CARD_FIELDS)).html).toContain('Payment successful');
    expect(await paymentsOf(link)).toMatchObject([
      { status: 'authorization_succeeded', method: 'card', gift_card_amount: 2000 },
    ]);
    expect(await redemptionsOf(link)).toMatchObject([
      { amount: 1200, status: 'succeeded' },
      { amount: 800, status: 'succeeded' },
    ]);
    expect(wallets.harness.provider.calls.at(-1)).toMatchObject({ amount: 3000 });
  });

  it('pay all of it, without another method, and keep the rest', async () => {
    const link = await made();
    const paid = await send(link, await visit(link), addGiftCard(giftCard(9000)));
    expect([pricesIn(paid.html), takes(paid.html)]).toEqual([['−$50.00', '$0.00'], false]);
    expect(paid.html).not.toMatch(/name="number"|PayPal/);
    expect(paid.html).toContain('Balance <bdi>$90.00');

    // Nothing is left to pay: a handmade form adds no card.
    const calls = requested();
    const more = await send(link, paid, addGiftCard(giftCard(100)));
    expect([more.status, slipOf(link, more), requested()]).toEqual([422, slipOf(link, paid), calls]);

    const done = await send(link, paid, { method: 'gift-card' });
    expect(done.html).toContain('Payment successful');
    // The slip of a paid link is removed.
    expect(slipOf(link, done)).toBeUndefined();
    expect(await paymentsOf(link)).toMatchObject([{ method: 'gift-card', gift_card_amount: 5000 }]);
  });

  it('can be removed again, and each counts once', async () => {
    const [link, one, two] = [await made(), giftCard(1200), giftCard(800)];
    let page = await send(link, await visit(link), addGiftCard(one));
    const calls = requested();
    const twice = await send(
      link,
      page,
      addGiftCard({ ...one, number: one.number.replace(/(.{4})/g, '$1 ') }),
    );
    expect([twice.status, twice.html.includes('already in use')]).toEqual([422, true]);
    expect(requested()).toBe(calls);
    page = await send(link, page, addGiftCard(two));
    page = await send(link, page, { method: 'remove-gift-card', index: '0' });
    expect(pricesIn(page.html)).toEqual(['−$8.00', '$42.00']);
    for (const named of [{ index: '7' }, { index: '' }, { index: '0x0' }, {}]) {
      page = await send(link, page, { method: 'remove-gift-card', ...named });
      expect(pricesIn(page.html)).toEqual(['−$8.00', '$42.00']);
    }
    page = await send(link, page, { method: 'remove-gift-card', index: '0' });
    expect([pricesIn(page.html), slipOf(link, page)]).toEqual([[], undefined]);
  });

  it.each([
    ['of no number and PIN', { number: '', pin: '' }, 'Enter the 16 to 19 digits'],
    ['of a short number', { number: '4111', pin: '01' }, 'Enter the 16 to 19 digits'],
    ['of no PIN', { number: giftCard(1).number, pin: '' }, 'Enter the PIN of the gift card.'],
    [
      'of a hostile number',
      { number: '<script>boo()</script>', pin: '"><img src=x>' },
      'Enter the 16 to 19 digits',
    ],
    [
      'of a wrong PIN',
      { number: giftCard(1).number, pin: WRONG_PIN },
      'no gift card with this number and PIN',
    ],
    ['that is expired', giftCard(500, '0'), 'This gift card has expired.'],
    [
      'that the service reports as expired',
      { number: giftCard(1).number, pin: '10001' },
      'This gift card has expired.',
    ],
    ['that is not active', { number: giftCard(1).number, pin: '10002' }, 'not been activated'],
    ['with nothing on it', giftCard(0), 'There is nothing left on this gift card.'],
    ['that is suspect', { number: giftCard(1).number, pin: '19999' }, 'cannot be used at the moment'],
  ])('%s are refused, and their input is not repeated', async (_, given, reported) => {
    const link = await made();
    const answer = await send(link, await visit(link), addGiftCard(given));
    expect([answer.status, answer.html.includes(reported)]).toEqual([422, true]);
    expect(answer.html).toMatch(/<details class="gift" open/);
    if (given.number !== '') expect(withoutRandom(answer.html)).not.toContain(given.number);
    expect(answer.html).not.toMatch(/boo\(\)<|<img src=x/);
    expect([slipOf(link, answer), await paymentsOf(link)]).toEqual([undefined, []]);
  });

  it('of another currency, and of a service without an answer, are refused', async () => {
    const link = await made({ currency: 'SAR' });
    const other = await send(link, await visit(link), addGiftCard(giftCard(500)));
    expect([other.status, other.html.includes('is in another currency')]).toEqual([422, true]);
    const dollars = await made();
    wallets.giftCards.failNext('nonsense');
    const silent = await send(dollars, await visit(dollars), addGiftCard(giftCard(500)));
    expect([silent.status, silent.html.includes('cannot be used at the moment')]).toEqual([422, true]);
  });

  it('are not accepted where none can pay: no service, nothing to pay, a link that stores', async () => {
    const pages = await Promise.all(
      [{ currency: 'EUR' }, { amount: 0 }, { store: true }, {}].map(async (input) =>
        visit(await made(input)),
      ),
    );
    expect(pages.map(({ html }) => takes(html))).toEqual([false, false, false, true]);
    // A handmade form reveals nothing.
    const link = await made({ store: true });
    const calls = requested();
    expect((await send(link, await visit(link), addGiftCard(giftCard(500)))).status).toBe(422);
    expect(requested()).toBe(calls);
  });

  it('stay after a decline, and are reversed', async () => {
    const [link, card] = [await made({ amount: 201_211 }), giftCard(1200)];
    const page = await send(link, await visit(link), addGiftCard(card));
    const declined = await send(link, page, CARD_FIELDS);
    expect([declined.html.includes('too little money'), pricesIn(declined.html)]).toEqual([
      true,
      ['−$12.00', '$2,000.11'],
    ]);
    expect(await redemptionsOf(link)).toMatchObject([{ amount: 1200, status: 'reversed' }]);
  });

  it('that have been spent elsewhere pay nothing, and are removed', async () => {
    const [link, spent, good] = [await made(), giftCard(1200), giftCard(800)];
    let page = await send(link, await visit(link), addGiftCard(good));
    page = await send(link, page, addGiftCard(spent));
    const elsewhere = await made({ amount: 1000 });
    await send(elsewhere, await send(elsewhere, await visit(elsewhere), addGiftCard(spent)), {
      method: 'gift-card',
    });
    const failed = await send(link, page, CARD_FIELDS);

    expect(failed.html).toContain('A gift card could not be used, and nothing was charged.');
    expect(pricesIn(failed.html)).toEqual(['−$8.00', '$42.00']);
    while (await reconcileDue(wallets.harness.server.app));
    expect(await redemptionsOf(link)).toMatchObject([{ status: 'reversed' }, { status: 'failed' }]);
    expect((await send(link, failed, CARD_FIELDS)).html).toContain('Payment successful');
  });
});

describe('the slip of gift cards', () => {
  it('is sealed: number and PIN are in no page, address, row or log', async () => {
    const [link, card] = [await made(), { number: '9870000000009876', pin: '0123987' }];
    const page = await send(link, await visit(link), addGiftCard(card));
    const slip = slipOf(link, page) ?? '';
    expect(slip).toMatch(/^v1\./);
    const done = await send(link, page, { method: 'gift-card' });
    expect(done.html).toContain('Payment successful');
    const tables = [
      'payment_link',
      'payment_link_attempt',
      'transaction',
      'redemption',
      'event',
      'operation',
    ];
    const everything = [
      page.html,
      JSON.stringify(page.cookies),
      Buffer.from(slip.split('.')[3] ?? '', 'base64url').toString('latin1'),
      page.location,
      wallets.harness.server.logs(),
      await everythingOf(wallets.harness, ...tables),
    ].join('\n');
    expect(everything).toContain('9876');
    expect(everything).not.toMatch(/987000000000|0123987/);
  });

  it('pays only the shown amount, in its browser, at its link, in time', async () => {
    const [link, other] = [await made(), await made()];
    const before = await visit(link);
    const page = await send(link, before, addGiftCard(giftCard(1200)));
    const [slip = '', stranger] = [slipOf(link, page), await visit(link)];
    const elsewhere = await visit(other);
    const name = `gift_${link.id}`;
    const wrong: readonly (readonly [Link, Visit])[] = [
      // An older tab from before the gift card, and a page whose gift card was removed.
      [link, { ...before, cookies: page.cookies }],
      [link, { ...page, cookies: before.cookies }],
      [
        link,
        {
          ...page,
          cookies: { ...page.cookies, [name]: `${slip.slice(0, -1)}${slip.endsWith('A') ? 'B' : 'A'}` },
        },
      ],
      [link, { ...page, cookies: { ...stranger.cookies, [name]: slip } }],
      [other, { ...page, cookies: { ...elsewhere.cookies, [`gift_${other.id}`]: slip } }],
    ];
    for (const [at, visited] of wrong) {
      const answer = await send(at, visited, CARD_FIELDS);
      expect([answer.status, answer.html.includes('Nothing was paid')]).toEqual([403, true]);
    }
    // A slip of another browser is ignored.
    for (const cookies of [{ ...stranger.cookies, [name]: slip }, { [name]: slip }, { [name]: 'v1.x.y.z' }])
      expect(pricesIn((await visit(link, cookies)).html)).toEqual([]);
    expect(pricesIn((await visit(link, page.cookies)).html)).toEqual(['−$12.00', '$38.00']);
    wallets.harness.clock.advance(CARDS_COOKIE_MS);
    expect((await send(link, page, CARD_FIELDS)).status).toBe(403);
    expect(pricesIn((await visit(link, page.cookies)).html)).toEqual([]);
    expect(await paymentsOf(link)).toEqual([]);
  });
});

describe('a caller who guesses PINs', () => {
  const statusesOf = async (answers: readonly Promise<{ status: number }>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).sort();

  it('is blocked on one link, even with fifty guesses at once', async () => {
    const link = await made();
    const page = await visit(link);
    const calls = requested();
    const guesses = Array.from({ length: 50 }, () =>
      addGiftCard({ number: giftCard(1).number, pin: WRONG_PIN }),
    );
    const statuses = await statusesOf(guesses.map((guess) => send(link, page, guess)));
    expect(requested() - calls).toBe(FAILURES_MAX.link);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50 - FAILURES_MAX.link);
  });

  it('of one gift card is blocked on every link', async () => {
    const { number } = giftCard(1);
    const calls = requested();
    const statuses: number[] = [];
    for (let count = 0; count <= FAILURES_MAX.giftCard; count += 1) {
      const link = await made();
      statuses.push(
        (await send(link, await visit(link), addGiftCard({ number, pin: `1999${count}` }))).status,
      );
    }
    expect([statuses.at(-2), statuses.at(-1), requested() - calls]).toEqual([
      422,
      429,
      FAILURES_MAX.giftCard,
    ]);
  });

  it('is not a caller with correct PINs, or one with a mistyped number', async () => {
    const link = await made({ amount: 99_999_999 });
    let page: Visit = await visit(link);
    for (let count = 0; count < 10; count += 1) page = await send(link, page, addGiftCard(giftCard(100)));
    for (let count = 0; count < 20; count += 1)
      expect((await send(link, page, addGiftCard({ number: '12', pin: '1' }))).status).toBe(422);
    expect([pricesIn(page.html).length, takes(page.html)]).toEqual([11, false]);
    // The maximum of one payment. A handmade form gets no further.
    const more = await send(link, page, addGiftCard(giftCard(100)));
    expect(more.status).toBe(422);
  });
});
