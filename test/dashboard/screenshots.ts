import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { DEVELOPERS } from './developer-scenes.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { DIFFERENCES, GIFT_CARDS, REFUND_REQUESTS, SETTLEMENTS } from './money-scenes.ts';
import { takePeople } from './people-scenes.ts';
import { startFakeProvider } from '../support/fake-provider.ts';
import { seedContradicted, seedElsewhere, seedOtherMoney, seedTooMuch } from './seed-differences.ts';
import { REFUND_LIMIT, seedRefundRequests } from './seed-refunds.ts';
import { createAntiFraud, seedRules, seedServices } from './seed-services.ts';
import { activate, seedRoutingRules } from './seed-rules.ts';
import { ROUTING } from './routing-scenes.ts';
import { SERVICES } from './service-scenes.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { spreadPayments } from './many-payments.ts';
import {
  createBuyer,
  createEndpoint,
  createLink,
  createPayment,
  createService,
  refund,
  seedPayments,
} from './seed.ts';
import { createGiftCardService, openDispute, payWithGiftCard, settle, storeGiftCard } from './seed-money.ts';

/** A picture to take. */
export type Scene = {
  readonly name: string;
  /** The address below the dashboard. */
  readonly path: (ids: Ids) => string;
  /** Acts on the page before the picture. */
  readonly act?: (page: Page) => Promise<unknown>;
};

/** The ids of the records that a scene may show. */
export type Ids = Readonly<
  Record<
    | 'captured'
    | 'authorized'
    | 'declined'
    | 'endpoint'
    | 'link'
    | 'buyer'
    | 'difference'
    | 'differing'
    | 'dispute'
    | 'elsewhere'
    | 'service'
    | 'entry'
    | 'giftCard'
    | 'antiFraud'
    | 'held'
    | 'ruleSet'
    | 'version'
    | 'ruled',
    string
  >
>;

const PAYMENTS = (): string => 'payments';

const SCENES: readonly Scene[] = [
  { name: 'home', path: () => '' },
  { name: 'home-month', path: () => '?span=30d' },
  {
    name: 'home-chart',
    path: () => '?span=90d',
    act: async (page) => {
      const { x, y, width } = (await page.locator('.chart-plot').boundingBox()) ?? { x: 0, y: 0, width: 0 };
      await page.mouse.move(x + width * 0.6, y + 60);
    },
  },
  {
    name: 'home-zone',
    path: () => '?zone=Europe/Berlin',
    act: async (page) => {
      await press(page, 'Time zone: Europe/Berlin');
      await page.keyboard.type('asia/k');
    },
  },
  { name: 'payments', path: PAYMENTS },
  { name: 'payments-filtered', path: () => 'payments?status=CAPTURE_SUCCEEDED&created=7d&q=ada' },
  { name: 'payments-nothing', path: () => 'payments?q=nobody' },
  {
    name: 'payments-filter-form',
    path: PAYMENTS,
    act: (page) => page.getByRole('button', { name: 'Status' }).click(),
  },
  {
    name: 'payments-columns',
    path: PAYMENTS,
    act: (page) => page.getByRole('button', { name: 'Choose the columns' }).click(),
  },
  {
    name: 'payments-views',
    path: () => 'payments?status=AUTHORIZATION_DECLINED',
    act: async (page) => {
      await press(page, 'Views');
      await page.getByRole('menuitem', { name: 'Save this view' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Refusals of the week');
      await press(page, 'Save view');
      await press(page, 'View: Refusals of the week');
    },
  },
  { name: 'payment', path: ({ captured }) => `payments/${captured}` },
  { name: 'payment-declined', path: ({ declined }) => `payments/${declined}` },
  { name: 'payment-authorized', path: ({ authorized }) => `payments/${authorized}` },
  { name: 'payment-missing', path: () => 'payments/none' },
  {
    name: 'payment-refund',
    path: ({ captured }) => `payments/${captured}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Refund' }).click();
      await page.getByLabel('Amount').fill('20.00');
    },
  },
  {
    name: 'payment-capture',
    path: ({ authorized }) => `payments/${authorized}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Capture' }).click();
      await page.getByLabel('Amount').fill('900');
    },
  },
  {
    name: 'payments-export',
    path: PAYMENTS,
    act: (page) => page.getByRole('button', { name: 'Export' }).click(),
  },
];

const BUYERS: readonly Scene[] = [
  { name: 'buyers', path: () => 'buyers' },
  { name: 'buyer', path: ({ buyer }) => `buyers/${buyer}` },
  {
    name: 'buyer-remove',
    path: ({ buyer }) => `buyers/${buyer}`,
    act: (page) => press(page, 'Remove Visa 1111'),
  },
];

const LINK = ({ link }: Ids): string => `links/${link}`;

const LINKS: readonly Scene[] = [
  { name: 'links', path: () => 'links' },
  {
    name: 'links-create',
    path: () => 'links',
    act: async (page) => {
      await press(page, 'Create link');
      await page.getByLabel('Amount').fill('49.90');
      await page.getByLabel('Message to the buyer').fill('Your vase is ready');
      await page.getByText('Name, colour and return address').click();
      await page.getByLabel('Name on the page').fill('Werkstatt Weber');
    },
  },
  { name: 'link', path: LINK },
  { name: 'link-expire', path: LINK, act: (page) => press(page, 'Expire') },
];

const DISPUTE = ({ dispute }: Ids): string => `disputes/${dispute}`;

const DISPUTES: readonly Scene[] = [
  { name: 'disputes', path: () => 'disputes' },
  { name: 'disputes-nothing', path: () => 'disputes?show=review' },
  { name: 'dispute', path: DISPUTE },
  {
    name: 'dispute-evidence',
    path: DISPUTE,
    act: async (page) => {
      await press(page, 'Send evidence');
      await page.getByLabel('Text').fill('Delivered on 21 November, signed by the buyer.');
      await page.getByLabel('File').setInputFiles(RECEIPT);
    },
  },
  { name: 'dispute-accept', path: DISPUTE, act: (page) => press(page, 'Give up') },
];

/** A file that begins as a PDF document does. */
const RECEIPT = {
  ...{ name: 'delivery-note.pdf', mimeType: 'application/pdf' },
  buffer: Buffer.from('%PDF-1.7'.padEnd(40_000)),
};

const ACCOUNT: readonly Scene[] = [
  { name: 'account', path: () => 'account' },
  { name: 'team', path: () => 'team' },
  {
    name: 'team-invite',
    path: () => 'team',
    act: (page) => page.getByRole('button', { name: 'Invite a person' }).first().click(),
  },
  { name: 'keys', path: () => 'keys' },
  { name: 'audit-log', path: () => 'audit-log' },
  {
    name: 'audit-log-change',
    path: () => 'audit-log',
    act: (page) => page.locator('.grid-opener', { hasText: 'updated' }).first().click(),
  },
];

/** Each scene is taken in each of these looks. */
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true },
};

/** Takes pictures of the dashboard's pages, light, dark and on a phone. `only` chooses scenes by parts of their names. */
export async function takeDashboard(folder: string, only: readonly string[] = []): Promise<void> {
  await mkdir(folder, { recursive: true });
  await takePeople({ folder, looks: LOOKS, isWanted: (name) => isWanted(name, only) });
  if (pictures(only).length > 0) await takeSignedIn(folder, only);
}

/** Takes the pictures of the pages with a session. */
async function takeSignedIn(folder: string, only: readonly string[]): Promise<void> {
  const [dashboard, receiver, bank] = await Promise.all([
    startDashboard(REFUND_LIMIT),
    startReceiver(),
    startFakeProvider(),
  ]);
  try {
    const ids = {
      ...(await seed(dashboard, receiver)),
      entry: (await settle(dashboard.server, bank)).entry,
    };
    for (const { scene, look, name } of pictures(only))
      await take(dashboard, { scene, look, ids, path: join(folder, `${name}.png`) });
  } finally {
    await Promise.all([dashboard.stop(), receiver.close(), bank.close()]);
  }
}

async function seed({ server, databaseUrl }: Dashboard, receiver: Receiver): Promise<Omit<Ids, 'entry'>> {
  const endpoint = await createEndpoint(server, `${receiver.url}hooks/payments`);
  await seedPayments(server, 40);
  await spreadPayments(databaseUrl, { days: 80, copies: 9 });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const buyer = { name: 'Ada Novak', email: 'ada.novak@example.com' };
  const declined = await createPayment(server, { ...buyer, amount: 200_011, reference: 'order-10510' });
  const authorized = await createPayment(server, {
    ...buyer,
    amount: 8900,
    reference: 'order-10511',
    authorizeOnly: true,
  });
  const captured = await createPayment(server, { ...buyer, amount: 5480, reference: 'order-10512' });
  await refund(server, captured, 1290);
  await createLink(server, { amount: 12_900, externalIdentifier: 'order-10521' });
  const link = await createLink(server, { amount: 4990, externalIdentifier: 'order-10522' });
  const stored = await createBuyer(server, 'Mina Okafor', 'mina.okafor@example.org');
  await createPayment(server, { amount: 7450, buyerId: stored, reference: 'order-10523' });
  const dispute = await seedDisputes(server);
  const differences = await seedDifferences(server);
  await seedUnresolved(server, receiver);
  await seedRefundRequests(server);
  await seedRules(server);
  const giftCard = await seedGiftCards(server, stored);
  const service = await seedServices(server);
  await createPayment(server, { amount: 3120, paymentServiceId: service });
  const antiFraud = await createAntiFraud(server);
  const held = await seedHeld(server);
  const rules = await seedRouting(server);
  return {
    ...{ giftCard, dispute, captured, authorized, declined, endpoint, link, buyer: stored, service },
    ...{ antiFraud, held, ...differences, ...rules },
  };
}

/** Creates disputes in several states. Returns the newest, which needs a response. */
async function seedDisputes(server: Dashboard['server']): Promise<string> {
  const soon = new Date(Date.now() + 20 * 3_600_000).toISOString();
  const reports = [
    { status: 'won', reason: 'fraudulent', reason_code: '10.4', respond_by: null },
    { status: 'lost', reason: 'product_unacceptable', reason_code: '13.3', respond_by: null },
    { stage: 'inquiry', reason: 'unrecognized', reason_code: null, respond_by: soon },
    {},
  ];
  let latest = '';
  for (const [index, report] of reports.entries()) {
    const reference = `order-${10_530 + index}`;
    const email = 'liam@berg-studio.example';
    const sale = await createPayment(server, {
      amount: 4210 + index * 3370,
      name: 'Liam Berg',
      email,
      reference,
    });
    latest = await openDispute(server, sale, report);
  }
  return latest;
}

/** Creates differences of several kinds, and a payment with a refund that was made elsewhere. */
async function seedDifferences(
  server: Dashboard['server'],
): Promise<Pick<Ids, 'difference' | 'differing' | 'elsewhere'>> {
  const { payment: differing } = await seedOtherMoney(server);
  await seedTooMuch(server);
  const { difference } = await seedContradicted(server, 'order-10551');
  return { difference, differing, elsewhere: await seedElsewhere(server) };
}

/** Creates rules with a second version and a plan, and a payment about which the first version decides. */
async function seedRouting(server: Dashboard['server']): Promise<Pick<Ids, 'ruleSet' | 'version' | 'ruled'>> {
  const { ruleSet, versions } = await seedRoutingRules(server);
  await activate(server, { versionId: versions[1], activeFrom: '2040-01-05T08:00:00Z', note: 'Trial week' });
  const ruled = await createPayment(server, { amount: 12_900, reference: 'order-10561' });
  return { ruleSet, version: versions[1], ruled };
}

/** Creates payments that a review holds. Returns the latest. */
async function seedHeld(server: Dashboard['server']): Promise<string> {
  const order = { name: 'Yuki Tanaka', email: 'review@example.com' };
  await createPayment(server, { ...order, amount: 45_900, reference: 'order-10541' });
  return createPayment(server, { ...order, amount: 18_250, reference: 'order-10542' });
}

/** Stores gift cards, and pays with one of them. Returns its id. */
async function seedGiftCards(server: Dashboard['server'], buyer: string): Promise<string> {
  await createGiftCardService(server);
  const empty = await storeGiftCard(server, '9000000000000041', '01000');
  await payWithGiftCard(server, 2500, empty);
  await storeGiftCard(server, '9000000000000042', '02500', buyer);
  const id = await storeGiftCard(server, '9000000000000043', '09000', buyer);
  await payWithGiftCard(server, 3490, id);
  await payWithGiftCard(server, 1250, id);
  return id;
}

/** Creates a payment at a provider that answers 500. */
async function seedUnresolved(server: Dashboard['server'], receiver: Receiver): Promise<void> {
  receiver.answer((response, { path }) => response.writeHead(path.startsWith('/hooks') ? 204 : 500).end());
  const paymentServiceId = await createService(server, {
    displayName: 'Nordic bank',
    apiUrl: `${receiver.url}bank`,
  });
  await createPayment(server, { amount: 7450, reference: 'order-10513', paymentServiceId });
}

/** Lists the chosen pictures. */
const pictures = (only: readonly string[]) =>
  [
    ...SCENES,
    ...BUYERS,
    ...LINKS,
    ...DISPUTES,
    ...DIFFERENCES,
    ...SETTLEMENTS,
    ...GIFT_CARDS,
    ...REFUND_REQUESTS,
    ...DEVELOPERS,
    ...SERVICES,
    ...ROUTING,
    ...ROUTING,
    ...ACCOUNT,
  ]
    .flatMap((scene) =>
      Object.keys(LOOKS).map((look) => ({ scene, look, name: `dashboard-${scene.name}-${look}` })),
    )
    .filter(({ name }) => isWanted(name, only));

const isWanted = (name: string, only: readonly string[]): boolean =>
  only.length === 0 || only.some((each) => name.includes(each));

type Picture = {
  readonly scene: Scene;
  readonly look: string;
  readonly ids: Ids;
  readonly path: string;
};

async function take(dashboard: Dashboard, { scene, look, ids, path }: Picture): Promise<void> {
  const { page, complaints } = await dashboard.open(scene.path(ids), LOOKS[look]);
  await page
    .locator('.bone')
    .first()
    .waitFor({ state: 'detached', timeout: 10_000 })
    .catch(() => undefined);
  await page.locator('.live[data-state=connected]').first().waitFor();
  await scene.act?.(page);
  await page.waitForTimeout(400);
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  await page.screenshot({ path });
  await page.context().close();
  if (isTooWide) process.stdout.write('  wider than the screen\n');
  process.stdout.write(`${path}\n${complaints.map((each) => `  ${each}\n`).join('')}`);
}
