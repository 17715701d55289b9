import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Page } from 'playwright-core';
import { texts as english } from '../../src/dashboard/generated/texts/en.ts';
import { CARRIED_OUT, forbiddenMutationsOf } from '../graph/router-operations.ts';
import { browserRunsHere } from '../support/browser.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { openIn, startDashboard, type Dashboard } from './harness.ts';
import { seedContradicted } from './seed-differences.ts';
import { openDispute, settle } from './seed-money.ts';
import { REFUND_LIMIT, seedRefundRequests, signInAsNew, type Signed } from './seed-refunds.ts';
import { createAntiFraud, seedServices } from './seed-services.ts';
import { createBuyer, createEndpoint, createLink, createPayment, createService } from './seed.ts';

let dashboard: Dashboard;
let acquirer: FakeProvider;
/** A provider that answers 500, so that the outcome of a payment is unknown. */
let bank: Receiver;
let analyst: Signed;
/** A payment whose order names the customer, and one without an order. */
let ordered: string;
let plain: string;
/** An address of each page: the lists, and a record of each kind. */
let pages: readonly string[];
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard(REFUND_LIMIT);
  const { server } = dashboard;
  [acquirer, bank] = await Promise.all([startFakeProvider(), startReceiver()]);
  bank.answer(500);
  const [service, endpoint, link, buyer] = [
    await seedServices(server),
    await createEndpoint(server, 'http://127.0.0.1:9/hooks'),
    await createLink(server, { amount: 4990 }),
    await createBuyer(server, 'Mina Okafor', 'mina.okafor@example.org'),
  ];
  await createPayment(server, { amount: 7450, buyerId: buyer });
  const broken = await createService(server, { displayName: 'Broken bank', apiUrl: bank.url });
  await createPayment(server, { amount: 7450, paymentServiceId: broken });
  const [captured, authorized] = [
    await createPayment(server, { amount: 5480, paymentServiceId: service }),
    await createPayment(server, { amount: 5480, authorizeOnly: true, paymentServiceId: service }),
  ];
  const order = { purchaseOrderNumber: 'PO 7', customerReferenceNumber: 'Jane Doe' };
  ordered = await createPayment(server, { amount: 4210, more: order });
  plain = captured;
  const dispute = await openDispute(server, await createPayment(server, { amount: 4210 }));
  const { entry } = await settle(server, acquirer);
  const { difference, payment: differing } = await seedContradicted(server);
  await seedRefundRequests(server);
  const antiFraud = await createAntiFraud(server);
  const held = await createPayment(server, { amount: 4900, email: 'review@example.com' });
  analyst = await signInAsNew(server, 'ana@example.com', 'ANALYST');
  const lists = ['', 'payments', 'buyers', 'links', 'gift-cards', 'unresolved', 'refund-requests'];
  pages = [
    ...lists,
    ...['disputes', 'settlements', 'services', 'three-ds', 'webhooks', 'events', 'team', 'keys'],
    'routing',
    ...['audit-log', `payments/${captured}`, `payments/${authorized}`, `buyers/${buyer}`, `links/${link}`],
    ...[`disputes/${dispute}`, `settlements/${entry}`, `services/${service}`, `webhooks/${endpoint}`],
    ...['anti-fraud', `anti-fraud/${antiFraud}`, `payments/${held}`],
    ...['differences', `differences/${difference}`, `payments/${differing}`],
  ];
}, 180_000);
afterAll(async () => {
  if (browserRunsHere) await Promise.all([dashboard.stop(), bank.close(), acquirer.close()]);
});

const { payment, links, services, differences, disputes, settlements, unresolved, refundRequests } = english;
const { webhooks, giftCards, team, keys, threeDS, buyers, antiFraud, routingRules } = english;

/** The names of the buttons that act, by page. */
const ACTS: readonly string[] = [
  ...[payment.act.capture, payment.act.refund, payment.act.void],
  ...[links.create, links.expire.open, antiFraud.review.accept, antiFraud.review.reject],
  ...[services.add, services.act.edit, services.act.more, services.test.open],
  ...[differences.adopt.open, differences.dismiss.open],
  ...[disputes.act.evidence, disputes.act.accept, settlements.explain.open],
  ...[unresolved.sync.open, unresolved.resolve.open],
  ...[refundRequests.approve.open, refundRequests.reject.open],
  ...[webhooks.add, webhooks.act.edit, webhooks.act.test, webhooks.act.more, webhooks.replay.open],
  ...[giftCards.store.open, team.invite, team.end, team.acts('kim@example.com'), keys.add, threeDS.add],
  ...[buyers.methods.remove('Visa 1111'), routingRules.add.open],
];

/** The names of all buttons, also of those that a screen reader finds alone. */
const BUTTONS = `[...document.querySelectorAll('button, [role=button]')]
  .map((each) => each.ariaLabel ?? each.textContent)`;

/** Opens each page and lists its buttons, as page and name. */
async function buttonsOf(page: Page): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const path of pages) {
    await page.goto(`${dashboard.server.url}/dashboard/${path}`);
    await page.locator('main :is(h1, h2, [role=alert])').first().waitFor();
    await page.locator('.bone').first().waitFor({ state: 'detached' });
    found.set(path, await page.evaluate<string[]>(BUTTONS));
  }
  return found;
}

async function openAsAnalyst(): Promise<Page> {
  const { page } = await dashboard.open();
  const [name = '', value = ''] = analyst.cookie.split('=');
  await page.context().addCookies([{ name, value, url: dashboard.server.url }]);
  await openIn(dashboard.server, page);
  await page.getByRole('button', { name: 'ana@example.com Analyst' }).waitFor();
  return page;
}

(browserRunsHere ? describe : describe.skip)('an analyst', () => {
  it('sees no button of an act on any page, where an owner sees each of them', async () => {
    const { page: ofOwner } = await dashboard.open();
    const ofAnalyst = await openAsAnalyst();
    const owner = await buttonsOf(ofOwner);
    const seen = await buttonsOf(ofAnalyst);
    const shown = new Set([...owner.values()].flat());
    const acting = [...seen].flatMap(([path, names]) =>
      names.filter((name) => ACTS.includes(name)).map((name) => `${path}: ${name}`),
    );

    expect(ACTS.filter((act) => !shown.has(act))).toEqual([]);
    expect(acting).toEqual([]);
    await ofOwner.context().close();
    await ofAnalyst.context().close();
  }, 180_000);

  it('is led to the pages that an analyst reads, and to no other', async () => {
    const page = await openAsAnalyst();
    const places = await page.locator('nav[aria-label] a').allTextContents();

    const { navigation } = english;
    const {
      buyers: ofBuyers,
      giftCards: cards,
      webhooks: hooks,
      team: people,
      keys: ofKeys,
      audit,
    } = navigation;
    const hidden: readonly string[] = [
      ...[ofBuyers, cards, hooks, people, ofKeys, audit, navigation.threeDS, navigation.routing],
    ];
    expect(places).toContain(navigation.payments);
    expect(places.filter((place) => hidden.includes(place))).toEqual([]);
    await page.context().close();
  });

  it('reads the order of a payment without the name of the customer', async () => {
    const numbers = async (page: Page, id: string): Promise<readonly string[]> => {
      await page.goto(`${dashboard.server.url}/dashboard/payments/${id}`);
      await page.getByText('Expires').waitFor();
      const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Order', exact: true }) });
      return card.locator('dt').allTextContents();
    };
    const [ofOwner, ofAnalyst] = [(await dashboard.open()).page, await openAsAnalyst()];
    const { purchaseOrder, customer } = payment.order;

    expect(await numbers(ofOwner, ordered)).toEqual([purchaseOrder, customer]);
    expect(await numbers(ofAnalyst, ordered)).toEqual([purchaseOrder]);
    expect(await numbers(ofAnalyst, plain)).toEqual([]);
    await ofOwner.context().close();
    await ofAnalyst.context().close();
  });

  it('is refused every mutation by the API, except an export', async () => {
    const schema = buildSchema(await readFile('schema/api.graphql', 'utf8'), { assumeValidSDL: true });
    const mutations = [...forbiddenMutationsOf(schema), ...CARRIED_OUT];
    const carriedOut: string[] = [];
    for (const { name, text } of mutations) {
      const { body } = await dashboard.server.graphql(text, {}, { token: null, headers: analyst.headers });
      const codes = body.errors?.map(({ extensions }) => extensions.code) ?? [];
      if (!codes.includes('FORBIDDEN')) carriedOut.push(name);
    }

    expect(mutations.length).toBeGreaterThan(50);
    expect(carriedOut).toEqual(['createExport']);
  });
});
