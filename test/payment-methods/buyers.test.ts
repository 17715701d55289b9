import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { relayAll } from '../support/relay-all.ts';

let server: TestServer;
let rival: { readonly id: string; readonly token: string };

beforeAll(async () => {
  server = await startTestServer();
  rival = await server.createMerchantAccount();
});
afterAll(() => server.stop());

const ADDRESS = 'city country postalCode state stateCode houseNumberOrName line1 line2 organization';
const CONTACT = `firstName lastName emailAddress phoneNumber address { ${ADDRESS} }`;
const BUYER = `id merchantAccountId reconciliationId displayName externalIdentifier accountNumber
  billingDetails { ${CONTACT} taxId { value kind } } shippingDetails { id buyerId ${CONTACT} } createdAt updatedAt`;
const ERRORS = 'userErrors { __typename code message path ... on DuplicateRecord { resourceId } }';

type Buyer = { readonly id: string; readonly updatedAt: string; readonly [field: string]: unknown };
type UserError = { readonly code: string; readonly path: readonly string[]; readonly resourceId?: string };
type Answered<Field extends string, Value> = { readonly [Name in Field]: Value | null } & {
  readonly userErrors: readonly UserError[];
};

async function ask<Data>(
  document: string,
  variables: Record<string, unknown>,
  token = server.token,
): Promise<Data> {
  const { body } = await server.graphql<{ answer: Data }>(document, variables, { token });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.answer;
}

const create = (input: Record<string, unknown>, token?: string) =>
  ask<Answered<'buyer', Buyer>>(
    `mutation ($input: CreateBuyerInput!) { answer: createBuyer(input: $input) { buyer { ${BUYER} } ${ERRORS} } }`,
    { input },
    token,
  );
const update = (id: string, input: Record<string, unknown>, token?: string) =>
  ask<Answered<'buyer', Buyer>>(
    `mutation ($id: ID!, $input: UpdateBuyerInput!) {
      answer: updateBuyer(id: $id, input: $input) { buyer { ${BUYER} } ${ERRORS} } }`,
    { id, input },
    token,
  );
const remove = (id: string, token?: string) =>
  ask<Answered<'deletedId', string>>(
    `mutation ($id: ID!) { answer: deleteBuyer(id: $id) { deletedId ${ERRORS} } }`,
    { id },
    token,
  );
const read = (id: string, token?: string) =>
  ask<Buyer | null>(`query ($id: ID!) { answer: buyer(id: $id) { ${BUYER} } }`, { id }, token);
const addShipping = (buyerId: string, input: Record<string, unknown>, token?: string) =>
  ask<Answered<'shippingDetails', { readonly id: string }>>(
    `mutation ($buyerId: ID!, $input: ShippingDetailsInput!) {
      answer: createShippingDetails(buyerId: $buyerId, input: $input) { shippingDetails { id buyerId ${CONTACT} } ${ERRORS} } }`,
    { buyerId, input },
    token,
  );
async function find(filter: Record<string, unknown>): Promise<readonly string[]> {
  const { nodes } = await ask<{ readonly nodes: readonly { readonly displayName: string }[] }>(
    `query ($search: String, $externalIdentifier: String, $first: Int, $after: String) {
      answer: buyers(search: $search, externalIdentifier: $externalIdentifier, first: $first, after: $after) {
        nodes { displayName } } }`,
    filter,
  );
  return nodes.map(({ displayName }) => displayName);
}
async function made(input: Record<string, unknown>, token?: string): Promise<Buyer> {
  const { buyer, userErrors } = await create(input, token);
  if (!buyer) throw new Error(JSON.stringify(userErrors));
  return buyer;
}
async function events(target: string): Promise<readonly (readonly [string, Record<string, unknown>])[]> {
  await relayAll(server.app);
  const { nodes } = await ask<{
    readonly nodes: readonly { readonly name: string; readonly payload: string }[];
  }>('{ answer: events(first: 100) { nodes { name payload } } }', {});
  return nodes
    .map(
      ({ name, payload }) =>
        [name, (JSON.parse(payload) as { target: Record<string, unknown> }).target] as const,
    )
    .filter(([, { id, buyer_id: buyerId }]) => id === target || buyerId === target);
}

const ADDRESS_GIVEN = {
  city: 'München',
  country: 'DE',
  postalCode: '80331',
  state: 'Bayern',
  stateCode: 'DE-BY',
  houseNumberOrName: '1',
  line1: 'Marienplatz',
  line2: 'Rückgebäude',
  organization: 'Rathaus',
};
const BILLING = {
  firstName: 'Jane',
  lastName: 'Müller',
  emailAddress: 'jane@example.com',
  phoneNumber: '+4989123456',
  address: ADDRESS_GIVEN,
  taxId: { value: 'DE123456789', kind: 'EU_VAT' },
};

describe('a buyer', () => {
  it('is kept as given, and publishes an event', async () => {
    const given = {
      displayName: 'Jane M.',
      externalIdentifier: 'cust-1',
      accountNumber: 'A-1',
      billingDetails: BILLING,
    };
    const buyer = await made(given);

    expect(buyer).toMatchObject({ ...given, merchantAccountId: 'default', shippingDetails: [] });
    expect(buyer['reconciliationId']).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(await read(buyer.id)).toEqual(buyer);
    expect(await events(buyer.id)).toEqual([
      [
        'buyer.created',
        {
          type: 'buyer',
          id: buyer.id,
          reconciliation_id: buyer['reconciliationId'],
          external_identifier: 'cust-1',
          created_at: buyer['createdAt'],
          updated_at: buyer['updatedAt'],
        },
      ],
    ]);
  });

  it('needs no field but its id', async () => {
    expect(await made({})).toMatchObject({
      displayName: null,
      externalIdentifier: null,
      billingDetails: null,
    });
  });

  it('is refused for all its faults, at once', async () => {
    const { buyer, userErrors } = await create({
      displayName: 'x'.repeat(201),
      externalIdentifier: '',
      billingDetails: {
        emailAddress: 'x'.repeat(321),
        phoneNumber: '0891234',
        address: { country: 'de', stateCode: 'Bayern', city: 'x'.repeat(101) },
        taxId: { value: '', kind: 'EU_VAT' },
      },
    });

    expect(buyer).toBeNull();
    expect(userErrors.map(({ code, path }) => [code, path.join('.')])).toEqual(
      [
        'displayName',
        'externalIdentifier',
        'billingDetails.emailAddress',
        'billingDetails.phoneNumber',
        'billingDetails.address.city',
        'billingDetails.address.country',
        'billingDetails.address.stateCode',
        'billingDetails.taxId.value',
      ].map((path) => ['INVALID_INPUT', `input.${path}`]),
    );
    expect(JSON.stringify(userErrors)).not.toMatch(/Bayern|0891234/);
  });

  it('is refused with the id of the owner of its external identifier; another merchant may use it, too', async () => {
    const first = await made({ externalIdentifier: 'shared' });
    const second = await made({ externalIdentifier: 'other' });
    const taken = {
      code: 'DUPLICATE',
      path: ['input', 'externalIdentifier'],
      resourceId: first.id,
    };

    expect(await create({ externalIdentifier: 'shared' })).toMatchObject({
      buyer: null,
      userErrors: [taken],
    });
    expect(await update(second.id, { externalIdentifier: 'shared' })).toMatchObject({
      buyer: null,
      userErrors: [taken],
    });
    expect(await read(second.id)).toEqual(second);
    await made({ externalIdentifier: 'shared' }, rival.token);
  });

  it('is created once when many request the same external identifier at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create({ externalIdentifier: 'raced' })),
    );
    const winners = answers.flatMap(({ buyer }) => buyer?.id ?? []);

    expect(winners).toHaveLength(1);
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ resourceId }) => resourceId))).toEqual(
      Array.from({ length: 7 }, () => winners[0]),
    );
  });
});

describe('a change of a buyer', () => {
  it('keeps omitted fields, clears those set to null, replaces billing details', async () => {
    const before = await made({ displayName: 'Before', externalIdentifier: 'c-1', billingDetails: BILLING });

    const renamed = await update(before.id, { displayName: 'After' });
    expect(renamed.buyer).toEqual({ ...before, displayName: 'After', updatedAt: renamed.buyer?.updatedAt });
    const cleared = await update(before.id, {
      externalIdentifier: null,
      billingDetails: { lastName: 'Meier' },
    });
    expect(cleared.buyer).toMatchObject({ displayName: 'After', externalIdentifier: null });
    expect(cleared.buyer?.['billingDetails']).toEqual({
      firstName: null,
      lastName: 'Meier',
      emailAddress: null,
      phoneNumber: null,
      address: null,
      taxId: null,
    });
    expect((await events(before.id)).map(([name]) => name)).toEqual([
      'buyer.created',
      'buyer.updated',
      'buyer.updated',
    ]);
  });

  it('loses nothing to a concurrent one', async () => {
    const { id } = await made({ displayName: 'x', accountNumber: 'x' });
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        update(id, { displayName: `d${round}` }),
        update(id, { accountNumber: `a${round}` }),
        update(id, { externalIdentifier: `e-${id}-${round}` }),
      ]);
      expect(await read(id)).toMatchObject({
        displayName: `d${round}`,
        accountNumber: `a${round}`,
        externalIdentifier: `e-${id}-${round}`,
      });
    }
  });
});

describe('a deleted buyer', () => {
  it('is erased, its external identifier is free, and a repeat returns the same', async () => {
    const { id } = await made({
      displayName: 'Vanishing Point',
      externalIdentifier: 'gone',
      billingDetails: BILLING,
    });
    await addShipping(id, { firstName: 'Vanishing' });

    expect(await remove(id)).toEqual({ deletedId: id, userErrors: [] });
    expect(await remove(id)).toEqual({ deletedId: id, userErrors: [] });
    expect(await read(id)).toBeNull();
    expect(await find({ search: 'vanishing' })).toEqual([]);
    expect(await find({ externalIdentifier: 'gone' })).toEqual([]);
    expect(await update(id, { displayName: 'Back' })).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await addShipping(id, {})).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND', path: ['buyerId'] }],
    });
    expect((await events(id)).map(([name]) => name)).toEqual([
      'buyer.created',
      'shipping-details.created',
      'buyer.deleted',
    ]);
    const left = await server.app.db.prisma.buyer.findFirst({ where: { merchantAccountId: 'default', id } });
    expect(left).toMatchObject({ displayName: null, externalIdentifier: null, billingDetails: null });
    expect(await server.app.db.prisma.buyerTerm.count({ where: { buyerId: id } })).toBe(0);
    expect(await server.app.db.prisma.shippingDetails.count({ where: { buyerId: id } })).toBe(0);
    await made({ externalIdentifier: 'gone' });
  });
});

describe('the buyers of another merchant account', () => {
  it('look like unknown ones', async () => {
    const { id } = await made({ displayName: 'Ours', externalIdentifier: 'ours-only' });
    const added = await addShipping(id, { firstName: 'Ours' });
    const notFound = { userErrors: [{ code: 'NOT_FOUND' }] };

    expect(await read(id, rival.token)).toBeNull();
    expect(await update(id, { displayName: 'Theirs' }, rival.token)).toMatchObject(notFound);
    expect(await remove(id, rival.token)).toMatchObject(notFound);
    expect(await addShipping(id, {}, rival.token)).toMatchObject(notFound);
    const document = `mutation ($id: ID!) { answer: deleteShippingDetails(id: $id) { deletedId ${ERRORS} } }`;
    expect(await ask(document, { id: added.shippingDetails?.id }, rival.token)).toMatchObject(notFound);
    expect(await read(id)).toMatchObject({ displayName: 'Ours', shippingDetails: [{ firstName: 'Ours' }] });
  });
});

describe('the list of buyers', () => {
  beforeAll(async () => {
    const buyers = [
      { displayName: 'Ada Lovelace', externalIdentifier: 'find-ada' },
      {
        displayName: 'Grace',
        billingDetails: { firstName: 'Grace', lastName: 'Hopper', emailAddress: 'grace@navy.example' },
      },
      { displayName: 'Ångström', accountNumber: 'find-z77', billingDetails: { phoneNumber: '+46701234567' } },
    ];
    for (const buyer of buyers) await made(buyer);
  });

  it.each([
    ['a word of a name, in any case', 'LOVE', ['Ada Lovelace']],
    ['the beginning of an identifier', 'find-', ['Ångström', 'Ada Lovelace']],
    ['an e-mail address', 'grace@navy.example', ['Grace']],
    ['the domain of an e-mail address', 'navy.exam', ['Grace']],
    ['a part of an identifier', 'z77', ['Ångström']],
    ['the last part of a domain', 'example', ['Grace', 'Jane M.']],
    ['a phone number', '+467012345', ['Ångström']],
    ['a phone number without its sign', '467012345', ['Ångström']],
    ['letters beyond ASCII', 'ång', ['Ångström']],
    ['all of several words', 'hopper grace', ['Grace']],
    ['nothing when one word is nowhere', 'grace lovelace', []],
    ['nothing by the middle of a word', 'ovelace', []],
    ['nothing by a sign of LIKE', '%', []],
  ])('finds by %s', async (_, search, found) => {
    expect(await find({ search })).toEqual(found);
  });

  it('finds by the whole external identifier', async () => {
    expect(await find({ externalIdentifier: 'find-ada' })).toEqual(['Ada Lovelace']);
    expect(await find({ externalIdentifier: 'find-' })).toEqual([]);
  });

  it('continues behind a cursor, newest first', async () => {
    const page = `query ($after: String) { answer: buyers(first: 2, after: $after) {
      nodes { id } pageInfo { hasNextPage endCursor } } }`;
    type Page = { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
    const ids: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { nodes, pageInfo }: Page = await ask<Page>(page, { after });
      ids.push(...nodes.map(({ id }) => id));
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    const where = { merchantAccountId: 'default', deletedAt: null };
    const all = await server.app.db.prisma.buyer.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });

    expect(ids).toEqual(all.map(({ id }) => id));
  });

  it.each([
    ['an empty search', { search: '' }, ['search']],
    ['too many words', { search: 'a b c d e f g h i j k' }, ['search']],
    ['a cursor of something else', { after: 'bm9uZQ' }, ['after']],
  ])('refuses %s', async (_, filter, path) => {
    const { body } = await server.graphql(
      'query ($search: String, $after: String) { buyers(search: $search, after: $after) { nodes { id } } }',
      filter,
    );
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_INPUT']);
    expect(JSON.stringify(body.errors)).toContain(JSON.stringify(path));
  });
});

describe('shipping details', () => {
  it('are added, changed as a whole and removed', async () => {
    const { id } = await made({});
    const first = await addShipping(id, { firstName: 'Jane', address: ADDRESS_GIVEN });
    const second = await addShipping(id, { lastName: 'Müller', phoneNumber: '+4989123456' });
    const shippingId = first.shippingDetails?.id;

    expect(await read(id)).toMatchObject({
      shippingDetails: [first.shippingDetails, second.shippingDetails],
    });
    const changed = await ask<Answered<'shippingDetails', unknown>>(
      `mutation ($id: ID!, $input: ShippingDetailsInput!) {
        answer: updateShippingDetails(id: $id, input: $input) { shippingDetails { id buyerId ${CONTACT} } ${ERRORS} } }`,
      { id: shippingId, input: { firstName: 'Joan' } },
    );
    expect(changed.shippingDetails).toMatchObject({ id: shippingId, firstName: 'Joan', address: null });
    const document = `mutation ($id: ID!) { answer: deleteShippingDetails(id: $id) { deletedId ${ERRORS} } }`;
    expect(await ask(document, { id: shippingId })).toEqual({ deletedId: shippingId, userErrors: [] });
    expect(await ask(document, { id: shippingId })).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await read(id)).toMatchObject({ shippingDetails: [second.shippingDetails] });
    expect((await events(id)).map(([name]) => name)).toEqual([
      'buyer.created',
      'shipping-details.created',
      'shipping-details.created',
      'shipping-details.updated',
      'shipping-details.deleted',
    ]);
  });

  it('are at most 50 of a buyer, even when they come at once', async () => {
    const { id } = await made({});
    const answers = await Promise.all(
      Array.from({ length: 55 }, (_, n) => addShipping(id, { firstName: `N${n}` })),
    );

    expect(answers.filter(({ shippingDetails }) => shippingDetails)).toHaveLength(50);
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code, path }) => [code, path]))).toEqual(
      Array.from({ length: 5 }, () => ['INVALID_INPUT', ['buyerId']]),
    );
  });

  it('are refused with every path', async () => {
    const { id } = await made({});
    const { userErrors } = await addShipping(id, {
      firstName: '',
      phoneNumber: '1',
      address: { country: 'D' },
    });

    expect(userErrors.map(({ path }) => path.join('.'))).toEqual([
      'input.firstName',
      'input.phoneNumber',
      'input.address.country',
    ]);
  });
});
