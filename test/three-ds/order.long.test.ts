import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { moved, type Placement } from '../../src/modules/three-ds/scenarios/order.ts';
import { createRandom } from '../simulation/random.ts';
import { startHarness, type Harness, type Scenario, type Tenant } from './harness.ts';

describe('changes of the order at once, in two processes', () => {
  let harness: Harness;
  let tenant: Tenant;
  beforeAll(async () => {
    harness = await startHarness({ servers: 2 });
  });
  afterAll(() => harness.stop());

  const given = async (count: number): Promise<readonly Scenario[]> => {
    tenant = await harness.tenant();
    const scenarios: Scenario[] = [];
    for (let amount = 0; amount < count; amount += 1) scenarios.push(await tenant.made({ amount }));
    return scenarios;
  };
  const positions = async (): Promise<readonly number[]> => {
    const where = { merchantAccountId: tenant.id };
    const rows = await harness.server.app.db.prisma.threeDSScenario.findMany({ where });
    return rows.map(({ position }) => position).sort((a, b) => a - b);
  };
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

  it('have the same result as 50 moves one after the other, in the order of their events', async () => {
    const ids = (await given(50)).map(({ id }) => id);
    const random = createRandom(20_261_122);
    const placements = new Map(
      ids.map((id): [string, Placement] => [
        id,
        { side: random.pick(['before', 'after']), id: random.pick(ids.filter((other) => other !== id)) },
      ]),
    );
    const answers = await Promise.all(
      [...placements].map(([id, { side, id: neighbour }]) => tenant.move(id, { [side]: neighbour })),
    );
    const happened = (await tenant.events()).filter(([name]) => name === 'three-ds-scenario.updated');
    const expected = happened.reduce<readonly string[]>(
      (order, [, id]) => moved(order, id, placements.get(id) as Placement),
      ids,
    );

    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([]);
    expect(happened.map(([, id]) => id).sort()).toEqual([...ids].sort());
    expect(await tenant.order()).toEqual(expected);
    expect(await tenant.order(7)).toEqual(expected);
    expect(await positions()).toEqual(upTo(50));
  });

  it('count up without a gap when scenarios are created, moved and deleted meanwhile', async () => {
    const scenarios = await given(20);
    const ids = scenarios.map(({ id }) => id);
    const random = createRandom(5);
    const [gone, kept] = [ids.slice(0, 8), ids.slice(8)];
    const moves = kept.map((id) => tenant.move(id, { before: random.pick(gone) }));
    const deletes = gone.map((id) => tenant.remove(id));
    const creates = upTo(10).map((n) => tenant.made({ amount: 100 + n }));
    const made = (await Promise.all(creates)).map(({ id }) => id);
    await Promise.all([...moves, ...deletes]);

    const order = await tenant.order();
    expect([...order].sort()).toEqual([...kept, ...made].sort());
    expect(await positions()).toEqual(upTo(22));
    for (const [index, id] of order.entries()) expect((await tenant.get(id))?.position).toBe(index + 1);
    const codes = (await Promise.all(moves)).flatMap(({ userErrors }) => userErrors.map(({ code }) => code));
    expect(codes.every((code) => code === 'NOT_FOUND')).toBe(true);
  });

  it('cannot give two scenarios one place, whoever writes', async () => {
    await given(2);
    const write = harness.server.app.db.prisma.threeDSScenario.updateMany({
      where: { merchantAccountId: tenant.id },
      data: { position: 2 },
    });
    await expect(write).rejects.toMatchObject({ code: 'P2002' });
    expect(await positions()).toEqual([1, 2]);
  });
});
