import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { callerAddress } from '../../src/http/websocket/caller-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

it.each<[string, string | undefined, string | undefined, readonly string[], string | null]>([
  ['the peer, without proxies', '192.0.2.1', '10.9.9.9', [], '192.0.2.1'],
  ['the address that a trusted proxy names', '10.0.0.5', '192.0.2.1', ['10.0.0.0/8'], '192.0.2.1'],
  [
    'the last one that no trusted proxy added',
    '10.0.0.5',
    '1.1.1.1, 192.0.2.1, 10.0.0.6',
    ['10.0.0.0/8'],
    '192.0.2.1',
  ],
  ['the peer behind a single address', '10.0.0.5', '192.0.2.1', ['10.0.0.5'], '192.0.2.1'],
  ['the peer that is not trusted', '10.0.0.7', '192.0.2.1', ['10.0.0.5'], '10.0.0.7'],
  ['a trusted IPv4 peer in IPv6 form', '::ffff:10.0.0.5', '2001:db8::1', ['10.0.0.5'], '2001:db8::1'],
  ['the furthest proxy, when all are trusted', '10.0.0.5', '10.0.0.6', ['10.0.0.0/8'], '10.0.0.6'],
  ['nothing of a connection that is gone', undefined, undefined, [], null],
])('returns %s', (_name, peer, forwarded, proxies, expected) => {
  expect(callerAddress(request(peer, forwarded), proxies)).toBe(expected);
});
