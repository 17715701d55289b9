import { describe, expect, it } from '@jest/globals';
import { startTestServer } from '../support/server.ts';
import { createFeed, subscribe, until } from './fake-feed.ts';
import { connectRawSocket } from './raw-socket.ts';

describe('subscriptions of a merchant account', () => {
  it('are 1000 at a time in a process, however others ended, and another account has a limit of its own', async () => {
    const feed = createFeed();
    const server = await startTestServer({ feedTail: feed.feedTail });
    const stranger = await server.createMerchantAccount();
    const open = (token: string) => connectRawSocket(server.url, token);
    const sockets = await Promise.all(Array.from({ length: 10 }, () => open(server.token)));
    const [beyond, other] = await Promise.all([open(server.token), open(stranger.token)]);
    for (const each of sockets) for (let id = 1; id <= 100; id += 1) each.send(subscribe(String(id)));
    await until(() => feed.followers() === 1_000);

    beyond.send(subscribe('1'));
    const refusal = await beyond.next();
    const end = await beyond.next();
    other.send(subscribe('1'));
    await until(() => feed.followers() === 1_001);
    sockets[0]?.send({ id: '1', type: 'complete' });
    await until(() => feed.followers() === 1_000);
    beyond.send(subscribe('2'));
    await until(() => feed.followers() === 1_001);
    sockets[1]?.close();
    await until(() => feed.followers() === 901);
    beyond.send(subscribe('3'));
    await until(() => feed.followers() === 902);

    for (const each of [...sockets, beyond, other]) each.close();
    await server.stop();
    const message = 'The merchant account has too many subscriptions. End some, or try again later.';
    expect(refusal).toEqual({
      id: '1',
      type: 'next',
      payload: { errors: [{ message, extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }] },
    });
    expect(end).toEqual({ id: '1', type: 'complete' });
  });
});
