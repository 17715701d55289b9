import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ACCOUNT, startAccountsApi, type AccountsApi, type MerchantAccount, type PageInfo } from './api.ts';

let api: AccountsApi;
beforeAll(async () => {
  api = await startAccountsApi();
});
afterAll(() => api.server.stop());

const find = async (id: string, token?: string): Promise<MerchantAccount | null> => {
  const { data } = await api.ask<{ merchantAccount: MerchantAccount | null }>(
    `query ($id: ID!) { merchantAccount(id: $id) ${ACCOUNT} }`,
    { id },
    token,
  );
  return data?.merchantAccount ?? null;
};

describe('creating', () => {
  test('keeps the given fields', async () => {
    const { node, userErrors, replayed } = await api.createMerchantAccount({
      id: 'Shop-1',
      displayName: 'Our shop',
      overCaptureAmount: 99_999_999,
      overCapturePercentage: 100,
    });
    expect({ userErrors, replayed }).toEqual({ userErrors: [], replayed: false });
    expect(node).toMatchObject({
      id: 'Shop-1',
      displayName: 'Our shop',
      overCaptureAmount: 99_999_999,
      overCapturePercentage: 100,
    });
    expect(await find('Shop-1')).toEqual(node);
  });

  test('allows no over-capture by default', async () => {
    const { node } = await api.createMerchantAccount({ id: 'plain', displayName: 'Plain' });
    expect(node).toMatchObject({ overCaptureAmount: null, overCapturePercentage: null });
  });

  test('allows identifiers that look like card numbers only when asked', async () => {
    const { node: plain } = await api.createMerchantAccount({ id: 'plain-ids', displayName: 'Plain' });
    const { node: card } = await api.createMerchantAccount({
      ...{ id: 'card-ids', displayName: 'Cards', allowsCardLikeIdentifiers: true },
    });
    const changed = await api.updateMerchantAccount('card-ids', { displayName: 'Still cards' });

    expect(plain).toMatchObject({ allowsCardLikeIdentifiers: false });
    expect(card).toMatchObject({ allowsCardLikeIdentifiers: true });
    expect(changed.node).toMatchObject({ allowsCardLikeIdentifiers: true });
  });

  test('lists every fault in one answer and stores nothing', async () => {
    const before = await api.rows();
    const input = {
      id: 'two words',
      displayName: '',
      overCaptureAmount: 100_000_000,
      overCapturePercentage: -1,
    };
    const { node, userErrors } = await api.createMerchantAccount(input, 'key-of-a-mistake');
    expect(node).toBeNull();
    expect(userErrors).toEqual([
      {
        __typename: 'InvalidInput',
        code: 'INVALID_INPUT',
        message: 'Must be 1 to 50 letters (a to z, A to Z), digits or hyphens.',
        path: ['input', 'id'],
      },
      {
        __typename: 'InvalidInput',
        code: 'INVALID_INPUT',
        message: 'Must be 1 to 255 characters.',
        path: ['input', 'displayName'],
      },
      {
        __typename: 'InvalidInput',
        code: 'INVALID_INPUT',
        message: 'Must be at most 99999999.',
        path: ['input', 'overCaptureAmount'],
      },
      {
        __typename: 'InvalidInput',
        code: 'INVALID_INPUT',
        message: 'Must be 0 or more.',
        path: ['input', 'overCapturePercentage'],
      },
    ]);
    expect(await api.rows()).toEqual(before);
  });

  test.each([
    [{ id: '' }, 'id'],
    [{ id: 'x'.repeat(51) }, 'id'],
    [{ id: 'straße' }, 'id'],
    [{ id: 'shop\0' }, 'id'],
    [{ id: 'shop\n' }, 'id'],
    [{ displayName: 'x'.repeat(256) }, 'displayName'],
    [{ displayName: 'a\0b' }, 'displayName'],
    [{ displayName: '\ud800' }, 'displayName'],
    [{ overCaptureAmount: -1 }, 'overCaptureAmount'],
    [{ overCapturePercentage: 101 }, 'overCapturePercentage'],
  ])('refuses %j', async (wrong, field) => {
    const { node, userErrors } = await api.createMerchantAccount({
      id: 'fine',
      displayName: 'Fine',
      ...wrong,
    });
    expect(node).toBeNull();
    expect(userErrors.map(({ path }) => path)).toEqual([['input', field]]);
    expect(await find('fine')).toBeNull();
  });

  test.each([
    ['x', '1 character'],
    ['x'.repeat(50), '50 characters'],
  ])('accepts an id of %s', async (id) => {
    expect(await api.createMerchantAccount({ id, displayName: 'x'.repeat(255) })).toMatchObject({
      node: { id },
    });
  });

  test('refuses a used id, naming it', async () => {
    await api.createMerchantAccount({ id: 'taken', displayName: 'First' });
    const before = await api.rows();
    const { node, userErrors } = await api.createMerchantAccount(
      { id: 'taken', displayName: 'Second' },
      'key-of-second',
    );
    expect(node).toBeNull();
    expect(userErrors).toEqual([
      {
        __typename: 'DuplicateRecord',
        code: 'DUPLICATE',
        message: 'Another merchant account has this id.',
        path: ['input', 'id'],
        resourceId: 'taken',
      },
    ]);
    expect(await api.rows()).toEqual(before);
  });

  test('creates one of two at once', async () => {
    const both = await Promise.all(
      ['A', 'B'].map((displayName) => api.createMerchantAccount({ id: 'raced', displayName })),
    );
    expect(both.map(({ node }) => node === null).sort()).toEqual([false, true]);
    expect(both.flatMap(({ userErrors }) => userErrors.map(({ code }) => code))).toEqual(['DUPLICATE']);
  });

  test('answers a repeated key from the record, and refuses other input', async () => {
    const input = { id: 'once', displayName: 'Once' };
    const first = await api.createMerchantAccount(input, 'key-once');
    await api.updateMerchantAccount('once', { displayName: 'Renamed' });
    const again = await api.createMerchantAccount(input, 'key-once');
    expect(again).toEqual({ ...first, replayed: true });
    const other = await api.createMerchantAccount({ id: 'once', displayName: 'Other' }, 'key-once');
    expect(other.userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.displayName'] },
    ]);
    expect(await find('once')).toMatchObject({ displayName: 'Renamed' });
  });

  test('needs a key for every merchant account', async () => {
    const limited = await api.createUser({ merchantAccountIds: ['default'] });
    const before = await api.rows();
    const { data, errors } = await api.ask(
      'mutation { createMerchantAccount(input: { id: "mine", displayName: "Mine" }) { userErrors { code } } }',
      {},
      limited.token,
    );
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      {
        message: 'Only an API key for every merchant account can create a merchant account.',
        extensions: { code: 'FORBIDDEN' },
      },
    ]);
    expect(await api.rows()).toEqual(before);
  });

  test('needs its scope', async () => {
    const reader = await api.server.mint({ scopes: ['*.read', 'api-key-pairs.write'] });
    const { errors } = await api.ask(
      'mutation { createMerchantAccount(input: { id: "mine", displayName: "Mine" }) { userErrors { code } } }',
      {},
      reader,
    );
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(errors[0]?.message).toContain('merchant-accounts.write');
    expect(await find('mine')).toBeNull();
  });
});

describe('updating', () => {
  test('changes the given fields only', async () => {
    const { node: made } = await api.createMerchantAccount({
      id: 'changing',
      displayName: 'Before',
      overCaptureAmount: 5,
      overCapturePercentage: 6,
    });
    const renamed = await api.updateMerchantAccount('changing', { displayName: 'After' });
    expect(renamed.userErrors).toEqual([]);
    expect(renamed.node).toEqual({ ...made, displayName: 'After', updatedAt: expect.any(String) });
    const cleared = await api.updateMerchantAccount('changing', {
      overCaptureAmount: null,
      overCapturePercentage: 7,
    });
    expect(cleared.node).toMatchObject({
      displayName: 'After',
      overCaptureAmount: null,
      overCapturePercentage: 7,
    });
  });

  test('lists every fault and changes nothing', async () => {
    await api.createMerchantAccount({ id: 'steady', displayName: 'Steady' });
    const before = await api.rows();
    const input = { displayName: 'x'.repeat(256), overCaptureAmount: -1, overCapturePercentage: 101 };
    const { node, userErrors } = await api.updateMerchantAccount('steady', input);
    expect(node).toBeNull();
    expect(userErrors.map(({ path }) => path.join('.'))).toEqual([
      'input.displayName',
      'input.overCaptureAmount',
      'input.overCapturePercentage',
    ]);
    expect(await api.rows()).toEqual(before);
  });

  test('answers an account beyond the key like an unknown one', async () => {
    await api.createMerchantAccount({ id: 'theirs', displayName: 'Theirs' });
    const { token } = await api.createUser({ merchantAccountIds: ['default'] });
    const foreign = await api.updateMerchantAccount('theirs', { displayName: 'Mine' }, token);
    const unknown = await api.updateMerchantAccount('nowhere', { displayName: 'Mine' }, token);
    expect(foreign).toEqual(unknown);
    expect(foreign.userErrors).toMatchObject([{ __typename: 'NotFound', code: 'NOT_FOUND', path: ['id'] }]);
    expect(await find('theirs')).toMatchObject({ displayName: 'Theirs' });
    expect(await api.updateMerchantAccount('theirs\0', {}, token)).toEqual(unknown);
  });
});

describe('reading', () => {
  test('shows a key only its own accounts', async () => {
    await api.createMerchantAccount({ id: 'seen', displayName: 'Seen' });
    await api.createMerchantAccount({ id: 'unseen', displayName: 'Unseen' });
    const { token } = await api.createUser({ merchantAccountIds: ['seen', 'default'] });
    expect(await find('seen', token)).toMatchObject({ displayName: 'Seen' });
    expect(await find('unseen', token)).toBeNull();
    expect(await find("' OR true --", token)).toBeNull();
    const { data } = await api.ask('{ merchantAccounts { nodes { id } } }', {}, token);
    expect(data).toEqual({ merchantAccounts: { nodes: [{ id: 'default' }, { id: 'seen' }] } });
  });

  test('pages through the list both ways, by id', async () => {
    const made = ['page-b', 'page-d', 'page-a', 'page-c'];
    for (const id of made) await api.createMerchantAccount({ id, displayName: id });
    const { token } = await api.createUser({ merchantAccountIds: ['default', ...made] });
    const page = async (args: string) => {
      const requested = await api.ask<{
        merchantAccounts: { nodes: { id: string }[]; pageInfo: PageInfo };
      }>(
        `{ merchantAccounts(${args}) { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        {},
        token,
      );
      if (!requested.data) throw new Error('No page was answered.');
      const { nodes, pageInfo } = requested.data.merchantAccounts;
      return { ids: nodes.map(({ id }) => id), ...pageInfo };
    };
    const first = await page('first: 2');
    expect(first).toMatchObject({ ids: ['default', 'page-a'], hasNextPage: true, hasPreviousPage: false });
    const second = await page(`first: 2, after: "${first.endCursor}"`);
    expect(second).toMatchObject({ ids: ['page-b', 'page-c'], hasNextPage: true, hasPreviousPage: true });
    const third = await page(`first: 2, after: "${second.endCursor}"`);
    expect(third).toMatchObject({ ids: ['page-d'], hasNextPage: false, hasPreviousPage: true });
    const back = await page(`last: 2, before: "${third.startCursor}"`);
    expect(back).toMatchObject({ ids: ['page-b', 'page-c'], hasNextPage: true, hasPreviousPage: true });
    expect(await page('last: 1')).toMatchObject({
      ids: ['page-d'],
      hasNextPage: false,
      hasPreviousPage: true,
    });
  });

  test.each([
    ['first: 0', 'first'],
    ['first: 101', 'first'],
    ['last: 0', 'last'],
    ['first: 1, last: 1', 'first'],
    ['after: "nonsense"', 'after'],
    [`after: "c1.${Buffer.from('two words').toString('base64url')}"`, 'after'],
    [`before: "c1.${Buffer.from('a\0').toString('base64url')}"`, 'before'],
  ])('refuses the page %s', async (args, path) => {
    const { errors } = await api.ask(`{ merchantAccounts(${args}) { nodes { id } } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', refusals: [{ path: [path] }] } }]);
  });
});
