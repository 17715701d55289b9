import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginPayment, expireLapsed } from '../../src/modules/payment-links/index.ts';
import { startLinks, type Link, type LinksHarness } from './harness.ts';

let harness: LinksHarness;
beforeAll(async () => void (harness = await startLinks()));
afterAll(() => harness.stop());

const databaseNow = async (): Promise<number> => {
  const [row] = await harness.rows<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  return row?.now ?? Number.NaN;
};
/** Creates a link that expires in so many milliseconds. */
async function expiringIn(ms: number): Promise<Link> {
  const link = await harness.made();
  return { ...link, expiresAt: new Date(await expireIn(link, ms)).toISOString() };
}
/** Lets a link expire in so many milliseconds. Returns the moment. */
async function expireIn(link: Link, ms: number): Promise<number> {
  const [row] = await harness.rows<{ moment: Date }>(
    `UPDATE payment_link SET expires_at = clock_timestamp() + $2::int * interval '1 ms' WHERE id = $1::uuid
     RETURNING expires_at AS moment`,
    link.id,
    ms,
  );
  return row?.moment.getTime() ?? Number.NaN;
}
const written = async ({ id }: Link): Promise<string | undefined> => {
  const found = await harness.rows<{ status: string }>(
    'SELECT status FROM payment_link WHERE id = $1::uuid',
    id,
  );
  return found[0]?.status;
};
const idsOf = async (status: string): Promise<readonly string[]> => {
  const { nodes } = await harness.ask<{ nodes: readonly { id: string }[] }>(
    'query ($status: [PaymentLinkStatus!]) { answer: paymentLinks(filter: { status: $status }, first: 100) { nodes { id } } }',
    { status: [status] },
  );
  return nodes.map(({ id }) => id);
};

describe('a link', () => {
  it('reads as expired from its expiry on, by the clock of the database, and not before', async () => {
    const link = await harness.made();
    const seen = new Set([String((await harness.read(link.id))?.status)]);
    const moment = await expireIn(link, 400);
    for (;;) {
      const before = await databaseNow();
      const { status } = (await harness.read(link.id)) ?? {};
      const after = await databaseNow();
      seen.add(String(status));
      if (status === 'ACTIVE') expect(before).toBeLessThan(moment);
      else expect(after).toBeGreaterThanOrEqual(moment);
      if (status === 'EXPIRED') break;
    }

    expect([...seen]).toEqual(['ACTIVE', 'EXPIRED']);
    expect(await written(link)).toBe('active');
  });

  it('can be paid up to its expiry, and no longer', async () => {
    const moments = Array.from({ length: 40 }, (_, index) => index * 10);
    const links = await Promise.all(moments.map((ms) => expiringIn(150 + ms)));
    const answers = new Map<string, number>();
    for (const link of links) {
      const moment = Date.parse(link.expiresAt);
      const found = await harness.found(link);
      const before = await databaseNow();
      const started = await beginPayment(harness.server.app, found);
      const after = await databaseNow();
      const answer = started.ok
        ? 'begun'
        : started.refusals.map((each) => 'status' in each && each.status).join();
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      if (started.ok) expect(before).toBeLessThan(moment);
      else expect(after).toBeGreaterThanOrEqual(moment);
    }
    const late = await expiringIn(1);
    while ((await databaseNow()) <= Date.parse(late.expiresAt));

    expect([...answers.keys()].filter((answer) => !['begun', 'expired'].includes(answer))).toEqual([]);
    expect(await harness.pay(late)).toEqual({
      ...{ ok: false, refusals: [{ kind: 'PaymentLinkNotActive', status: 'expired' }] },
    });
    expect(await harness.notified(late.id)).toEqual(['payment-link.created active']);
  });

  it('does not depend on the clock of a process', async () => {
    const link = await harness.made();
    harness.clock.advance(48 * 3_600_000);
    while (await expireLapsed(harness.server.app));

    expect(await written(link)).toBe('active');
    expect(await harness.pay(link)).toMatchObject({ ok: true });
    harness.clock.advance(-48 * 3_600_000);
  });

  it('is found by its current status, and written as expired once, whatever process sweeps', async () => {
    const links = await Promise.all(Array.from({ length: 30 }, () => expiringIn(50)));
    const ids = links.map(({ id }) => id).sort();
    while ((await databaseNow()) <= Math.max(...links.map(({ expiresAt }) => Date.parse(expiresAt))));

    expect((await idsOf('EXPIRED')).filter((id) => ids.includes(id)).sort()).toEqual(ids);
    expect((await idsOf('ACTIVE')).filter((id) => ids.includes(id))).toEqual([]);
    const sweep = async () => {
      while (await expireLapsed(harness.server.app));
    };
    await Promise.all([sweep(), sweep(), sweep(), sweep()]);
    await sweep();
    for (const link of links) {
      expect(await written(link)).toBe('expired');
      expect(await harness.notified(link.id)).toEqual([
        'payment-link.created active',
        'payment-link.updated expired',
      ]);
    }
  });
});

describe('expiring a link', () => {
  it('ends it, once', async () => {
    const link = await harness.made();
    const answers = await Promise.all(Array.from({ length: 8 }, () => harness.expire(link.id)));

    expect(answers.filter(({ paymentLink }) => paymentLink?.status === 'EXPIRED')).toHaveLength(1);
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code, status }) => [code, status]))).toEqual(
      Array.from({ length: 7 }, () => ['OPERATION_NOT_ALLOWED', 'EXPIRED']),
    );
    expect(await harness.notified(link.id)).toEqual([
      'payment-link.created active',
      'payment-link.updated expired',
    ]);
    expect(await harness.pay(link)).toMatchObject({ refusals: [{ status: 'expired' }] });
  });

  it.each(['', 'x', '018f0000-0000-7000-8000-000000000000'])('refuses an unknown id (%j)', async (id) => {
    expect(await harness.expire(id)).toMatchObject({ userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] });
  });
});
