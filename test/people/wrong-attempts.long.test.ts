import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageOf } from '../sessions/browser-fetch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { join, signInAs } from './people.ts';

/** A secret of nobody. */
const SECRET = 'JBSWY3DPEHPK3PXP';

let clock: ShiftedClock;
let server: TestServer;
beforeAll(async () => {
  clock = createShiftedClock();
  server = await startTestServer({
    clock,
    sharesToken: false,
    settings: { PAYGRAPH_TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterAll(() => server.stop());

/** The next code of an app, because each code counts once. */
const later = (): void => clock.advance(31_000);

/** The headers of a page in another network. */
const from = (address: string) => ({ ...pageOf(server), 'x-forwarded-for': address });

describe('wrong attempts', () => {
  it('make their network wait, longer each time, and at most 15 minutes', async () => {
    const ben = await join(server, 'ben@example.com');
    const attempt = async (changes = {}) => {
      later();
      return (await signInAs(server, ben, changes, from('198.51.100.1'))).status;
    };
    for (let wrong = 0; wrong < 6; wrong += 1) await attempt({ password: 'wrong' });

    expect(await attempt()).toBe(401);
    clock.advance(60_000);
    expect(await attempt()).toBe(200);
    expect(await attempt()).toBe(200);
  });

  it('in many strange networks keep nobody from the own network', async () => {
    const cid = await join(server, 'cid@example.com');
    later();
    expect((await signInAs(server, cid, {}, from('203.0.113.7'))).status).toBe(200);
    for (let network = 0; network < 25; network += 1)
      await signInAs(server, cid, { password: 'wrong' }, from(`198.18.0.${network}`));
    later();
    const strange = await signInAs(server, cid, {}, from('198.18.1.1'));
    const own = await signInAs(server, cid, {}, from('203.0.113.7'));

    expect([strange.status, own.status]).toEqual([401, 200]);
    clock.advance(3_600_000);
    expect((await signInAs(server, cid, {}, from('198.18.1.1'))).status).toBe(200);
  });

  it('that come at once count one after another', async () => {
    const dan = await join(server, 'dan@example.com');
    later();
    const guesses = Array.from({ length: 12 }, () =>
      signInAs(server, dan, { password: 'wrong' }, from('198.51.100.77')),
    );
    await Promise.all(guesses);
    const [row] = await server.app.db.prisma.dashboardSignIn.findMany({
      where: { network: '198.51.100.77' },
    });

    expect(row?.failures).toBe(5);
  });

  it('of one network are limited', async () => {
    const limited = await startTestServer({
      sharesToken: false,
      settings: { PAYGRAPH_SIGN_INS_PER_MINUTE: '6' },
    });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1)
      statuses.push((await signInAs(limited, { email: 'x@example.com', secret: SECRET })).status);
    await limited.stop();

    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});
