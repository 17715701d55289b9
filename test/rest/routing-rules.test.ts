import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openShop, type Shop } from '../routing/harness.ts';
import { playAll } from '../routing-simulations/harness.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { restClient, type RestClient, type RestOptions } from './client.ts';

let server: TestServer;
let send: RestClient;
let shop: Shop;
let own: RestOptions;
let versions: `/${string}`;
beforeAll(async () => {
  server = await startTestServer();
  send = restClient(server);
  shop = await openShop(server);
  own = { token: shop.token };
  versions = `/routing-rule-sets/${shop.ruleSetId}/versions`;
});
afterAll(() => server.stop());

const order = (...paymentServiceIds: string[]) => ({
  order: { payment_service_ids: paymentServiceIds, only_these: false },
});
const ABSENT = '018f3c2e-0000-7000-8000-000000000000';

describe('the REST paths of routing rules', () => {
  it('answer that no activation is there, before the first', async () => {
    const { token } = await server.createMerchantAccount();
    const { status, body } = await send('GET /routing-activations/active', undefined, { token });

    expect([status, body['message'], body['details']]).toEqual([
      404,
      'The merchant account has no such record yet.',
      [],
    ]);
  });

  it('make and activate a version, which decides about the next payment', async () => {
    const [, , third] = shop.services;
    const rules = [{ name: 'Dollars', conditions: [{ fact: { currency: ['USD'] } }], action: order(third) }];

    const made = await send(`POST ${versions}`, { rules }, own);
    const activated = await send('POST /routing-activations', { version_id: made.body.id }, own);

    expect([made.status, made.body['warnings'], activated.status]).toEqual([201, [], 201]);
    expect(activated.body).toMatchObject({ type: 'routing-activation', version: { id: made.body.id } });
    expect(await shop.asked()).toEqual([3]);
    expect((await send('GET /routing-activations/active', undefined, own)).body).toEqual(activated.body);
  });

  it('answer rules that are the body of another version', async () => {
    const [first, second] = shop.services;
    const valueSet = { name: 'Shops', kind: 'text', values: ['A', 'B'] };
    const { body: shared } = await send('POST /routing-value-sets', valueSet, own);
    const condition = (fact: object, not = false) => ({ not, fact });
    const rules = [
      {
        name: 'All forms',
        conditions: [
          condition({ amount: { currency: 'USD', min: 1, max: null } }),
          condition({ scheme: ['carte-bancaire', 'visa'] }, true),
          condition({ instrument: ['network_token', 'pan'] }),
          condition({ payment_source: ['card_on_file'] }),
          condition({ metadata_in: { name: 'orderShop', value_set_id: shared.id } }),
          condition({ local_time: { zone: 'Europe/Berlin', days: ['mon'], from: '09:00', to: '24:00' } }),
          {
            not: false,
            any_of: [
              condition({ is_stored: true }),
              condition({ bin: [{ from: '411111', to: '42222222' }] }),
            ],
          },
        ],
        action: {
          split: [
            { payment_service_ids: [first], only_these: true, weight: 1 },
            { payment_service_ids: [second, first], only_these: false, weight: 3 },
          ],
        },
        three_d_secure: 'always',
      },
      { name: 'None', conditions: [], action: { refuse: { code: 'not_here' } }, three_d_secure: null },
    ];

    const { body } = await send(`POST ${versions}`, { rules }, own);
    const copy = await send(`POST ${versions}`, { rules: body['rules'] }, own);

    expect(body['rules']).toEqual(rules);
    expect(copy.body['rules']).toEqual(rules);
    const read = await send(`GET /routing-rule-set-versions/${copy.body.id}`, undefined, own);
    expect(read.body).toMatchObject({ rules, rule_set: { id: shop.ruleSetId, name: 'Cards' } });
    expect(read.body['value_sets']).toEqual([{ value_set_id: shared.id, name: 'Shops', values: ['A', 'B'] }]);
  });

  it('check rules without storing them', async () => {
    const rules = [
      { name: 'All', action: { positions: true } },
      { name: 'Never', action: { refuse: { code: 'no' } } },
    ];
    const listed = async () => (await send(`GET ${versions}?limit=100`, undefined, own)).body.items;
    const before = await listed();

    const checked = await send(`POST ${versions}/check`, { rules }, own);

    expect(checked.status).toBe(200);
    expect(checked.body).toEqual({
      warnings: [{ code: 'hidden', rule: 2, message: expect.any(String) }],
    });
    expect(await listed()).toEqual(before);
    expect(before[0]).not.toHaveProperty('rules');
  });

  it('refuse wrong rules at their places, and the records of others', async () => {
    const action = { refuse: { code: 'NO' } };
    const wrong = await send(`POST ${versions}`, { rules: [{ name: 'A', action }] }, own);
    const twice = { name: 'A', action: { positions: true, order: { payment_service_ids: ['x'] } } };
    const answers = [
      wrong,
      await send(`POST ${versions}`, { rules: [twice] }, own),
      await send(`POST ${versions}?dry_run=true`, { rules: [twice] }, own),
      await send('POST /routing-activations', { version_id: ABSENT }, own),
      await send(
        `POST /routing-rule-sets/${ABSENT}/versions/check`,
        { rules: [{ name: 'A', action: { positions: true } }] },
        own,
      ),
      await send(`GET /routing-rule-sets/${shop.ruleSetId}`),
    ];

    expect(wrong.body['details']).toMatchObject([
      { location: 'body', pointer: '/rules/0/action/refuse/code' },
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 404]);
  });

  it('play past payments through a version', async () => {
    const order = { order: { payment_service_ids: [shop.services[1]] } };
    const rules = [{ name: 'All', action: order }];
    const { body: version } = await send(`POST ${versions}`, { rules }, own);
    await shop.pay();
    const input = { version_id: version.id, from: new Date(Date.now() - 3_600_000).toISOString() };

    const started = await send('POST /routing-simulations', input, own);
    await playAll(server);
    const played = await send(`GET /routing-simulations/${started.body.id}`, undefined, own);
    const listed = await send('GET /routing-simulations', undefined, own);
    const canceled = await send(`POST /routing-simulations/${started.body.id}/cancel`, undefined, own);

    expect([started.status, started.body['status'], started.body['result']]).toEqual([201, 'pending', null]);
    expect(played.body).toMatchObject({ status: 'succeeded', progress: 1, sample: 100 });
    expect(played.body['result']).toMatchObject({ rules: [{ rule: 1 }], fees: [] });
    expect(listed.body.items[0]).not.toHaveProperty('result');
    // An ended simulation stays as it is.
    expect([canceled.status, canceled.body]).toEqual([200, played.body]);
  });

  it('keep drafting and activating apart', async () => {
    const token = await server.mint({ scopes: ['routing-rules.write'] });
    const answers = [
      await send('POST /routing-rule-sets', { name: 'Draft' }, { token }),
      await send('POST /routing-activations', { version_id: null }, { token }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 403]);
  });
});
