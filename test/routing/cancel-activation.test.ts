import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/database.ts';
import { relayAll } from '../support/relay-all.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openShop, type Activated, type Shop, type UserError } from './harness.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const MINUTE_MS = 60_000;
const clock = createShiftedClock();

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

type Canceled = {
  readonly activation: { readonly id: string; readonly canceledAt: string | null } | null;
  readonly userErrors: readonly UserError[];
};

const CANCEL = `mutation ($id: ID!) { answer: cancelRoutingActivation(id: $id) {
  activation: routingActivation { id canceledAt } userErrors { __typename code message path } } }`;

const cancel = (shop: Shop, id: string) => shop.ask<Canceled>(CANCEL, { id });

/** Plans an activation of a version that asks one service alone. Returns its id. */
async function plan(shop: Shop, service: string): Promise<string> {
  const action = { order: { paymentServiceIds: [service] } };
  const { version } = await shop.makeVersion([{ name: 'All', action }]);
  const activeFrom = new Date(clock.now().getTime() + MINUTE_MS).toISOString();
  return idOf(await shop.activate({ versionId: version?.id, activeFrom }));
}

const idOf = ({ activation, userErrors }: Activated): string => {
  if (!activation) throw new Error(JSON.stringify(userErrors));
  return activation.id;
};

describe('a canceled activation', () => {
  it('never decides, and stays in the list', async () => {
    const shop = await openShop(server);
    const [, second, third] = shop.services;
    await shop.follow({ name: 'All', action: { order: { paymentServiceIds: [second] } } });
    const id = await plan(shop, third);

    const { activation, userErrors } = await cancel(shop, id);
    clock.advance(2 * MINUTE_MS);

    expect(userErrors).toEqual([]);
    expect(activation).toEqual({ id, canceledAt: expect.any(String) });
    expect(await shop.asked()).toEqual([2]);
    const { candidates } = await shop.explain();
    expect(candidates[0]?.paymentService.id).toBe(second);
    expect(await shop.ask('{ answer: activeRouting { canceledAt } }')).toEqual({ canceledAt: null });
    const { nodes } = await shop.ask<{ nodes: readonly object[] }>(
      '{ answer: routingActivations { nodes { id canceledAt } } }',
    );
    expect(nodes).toEqual([activation, { id: expect.any(String), canceledAt: null }]);
  });

  it('leaves another one of the same moment to decide', async () => {
    const shop = await openShop(server);
    await plan(shop, shop.services[1]);
    await cancel(shop, await plan(shop, shop.services[2]));
    clock.advance(MINUTE_MS);

    expect(await shop.asked()).toEqual([2]);
  });

  it('publishes one event and has one entry, also after repeated and concurrent requests', async () => {
    const shop = await openShop(server);
    const id = await plan(shop, shop.services[1]);
    const answers = await Promise.all([cancel(shop, id), cancel(shop, id)]);
    clock.advance(MINUTE_MS);
    answers.push(await cancel(shop, id.toUpperCase()));

    expect(new Set(answers.map(({ activation }) => activation?.canceledAt)).size).toBe(1);
    await relayAll(server.app);
    const events = await shop.ask<{ nodes: readonly { name: string }[] }>(
      '{ answer: events(first: 50) { nodes { name } } }',
    );
    expect(events.nodes.filter(({ name }) => name === 'routing-activation.canceled').length).toBe(1);
    const entries = await server.app.db.prisma.auditEntry.findMany({
      where: { merchantAccountId: shop.id, action: 'routing-activation.updated' },
    });
    expect(entries.map(({ actorKind }) => actorKind)).toEqual(['api_key']);
  });

  it('can be neither changed nor revived', async () => {
    const shop = await openShop(server);
    await cancel(shop, await plan(shop, shop.services[1]));
    const open = await plan(shop, shop.services[2]);
    const { DATABASE_URL = '' } = server.app.config;

    for (const change of [
      'UPDATE routing_activation SET canceled_at = NULL WHERE canceled_at IS NOT NULL',
      `UPDATE routing_activation SET canceled_at = created_at, note = 'x' WHERE id = '${open}'`,
      `UPDATE routing_activation SET active_from = now() WHERE id = '${open}'`,
      'DELETE FROM routing_activation',
    ])
      await expect(query(DATABASE_URL, change)).rejects.toThrow('append-only');
    await expect(
      query(DATABASE_URL, `UPDATE routing_activation SET canceled_at = active_from WHERE id = '${open}'`),
    ).rejects.toThrow('routing_activation_canceled_check');
  });
});

describe('a cancellation', () => {
  it('is refused for an activation that has begun', async () => {
    const shop = await openShop(server);
    const planned = await plan(shop, shop.services[1]);
    clock.advance(MINUTE_MS);
    const atOnce = idOf(await shop.activate({}));

    for (const id of [planned, atOnce])
      expect(await cancel(shop, id)).toMatchObject({
        activation: null,
        userErrors: [{ __typename: 'RoutingActivationBegun', code: 'OPERATION_NOT_ALLOWED', path: ['id'] }],
      });
    const { nodes } = await shop.ask<{ nodes: readonly object[] }>(
      '{ answer: routingActivations { nodes { canceledAt } } }',
    );
    expect(nodes).toEqual([{ canceledAt: null }, { canceledAt: null }]);
  });

  it('finds no activation of another merchant account', async () => {
    const shop = await openShop(server);
    const other = await openShop(server);
    const id = await plan(shop, shop.services[1]);

    for (const unknown of [id, UNKNOWN, 'x'])
      expect((await cancel(other, unknown)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['id'] }]);
    clock.advance(MINUTE_MS);
    expect(await shop.asked()).toEqual([2]);
  });

  it('needs the scope of activations', async () => {
    const shop = await openShop(server);
    const token = await server.mint({
      merchantAccountId: shop.id,
      scopes: ['routing-rules.read', 'routing-rules.write'],
    });
    const { body } = await server.graphql(CANCEL, { id: UNKNOWN }, { token });

    expect(body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
