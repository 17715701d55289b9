import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findLinkMethods } from '../../src/modules/payment-links/index.ts';
import { createService } from '../transactions/harness.ts';
import { CARD_FIELDS, send, visit } from './form.ts';
import { startLinks, type Link, type LinksHarness } from './harness.ts';

/** The sandbox's card of Cartes Bancaires and Visa. */
const CO_BADGED = '4000002500001001';

let harness: LinksHarness;
beforeAll(async () => {
  harness = await startLinks();
  const countries = ['FR', 'DE', 'BE'];
  await createService(harness.server, harness.provider.url, { currencies: ['EUR'], countries });
  await createService(harness.server, harness.provider.url, {
    ...{ currencies: ['GBP'], countries, definitionId: 'mockds-card' },
  });
});
afterAll(() => harness.stop());

const made = (input: object = {}): Promise<Link> =>
  harness.made({ amount: 1299, currency: 'EUR', country: 'FR', ...input });
const paid = async ({ id }: Link) =>
  harness.server.app.db.prisma.transaction.findMany({ where: { paymentLinkId: id } });

it.each([
  ['France', {}, 'carte_bancaire'],
  ['a country without a network of its own', { country: 'DE' }, null],
  ['a country whose network no service takes', { country: 'BE' }, null],
  ['services that take no choice', { currency: 'GBP' }, null],
])('a link of %s offers the network that its country and a service have', async (_, input, localNetwork) => {
  const link = await harness.found(await made(input));

  expect(await findLinkMethods(harness.server.app, link)).toMatchObject({ card: true, localNetwork });
});

it('the page asks for the network, and the chosen one reaches the provider', async () => {
  const link = await made();
  const page = await visit(link);
  const { status } = await send(link, page, {
    ...CARD_FIELDS,
    ...{ number: CO_BADGED, network: 'carte_bancaire' },
  });

  expect(page.html).toContain('<option value="carte_bancaire"');
  expect(status).toBe(303);
  expect(await paid(link)).toMatchObject([
    { status: 'authorization_succeeded', cardNetwork: 'carte_bancaire', cardScheme: 'visa' },
  ]);
  expect(harness.provider.calls.at(-1)).toMatchObject({ network: 'carte_bancaire' });
});

it('the page of another link asks for none', async () => {
  expect((await visit(await made({ country: 'DE' }))).html).not.toContain('name="network"');
});

it.each(['mastercard', CO_BADGED])(
  'a network %s to which the card cannot belong is a marked field, and nothing is paid',
  async (network) => {
    const link = await made();
    const answer = await send(link, await visit(link), { ...CARD_FIELDS, number: CO_BADGED, network });

    expect(answer.status).toBe(422);
    expect(answer.html).toContain('Choose a network of this card.');
    expect(answer.html).not.toContain(CO_BADGED);
    expect(await paid(link)).toEqual([]);
  },
);

it('no choice leaves the network to the provider', async () => {
  const link = await made();
  await send(link, await visit(link), { ...CARD_FIELDS, number: CO_BADGED, network: '' });

  expect(await paid(link)).toMatchObject([{ status: 'authorization_succeeded', cardNetwork: null }]);
  expect(harness.provider.calls.at(-1)).not.toHaveProperty('network');
});
