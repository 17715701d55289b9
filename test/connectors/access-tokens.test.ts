import { describe, expect, it } from '@jest/globals';
import {
  UNAUTHORISED,
  withAccessToken,
  type AccessTokens,
} from '../../src/connectors/interface/access-tokens.ts';

const TOKEN = { value: 'a token of the test', lifetimeMs: 60_000 };
const tokens: AccessTokens = { get: (load) => load(), drop: () => undefined, current: () => null };
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a call with an access token', () => {
  it('sends nothing when the token took all the time', async () => {
    const sent: number[] = [];
    const answer = await withAccessToken(
      { accessTokens: tokens, deadlineMs: 20 },
      async () => {
        await after(40);
        return { token: TOKEN };
      },
      (_, deadlineMs) => Promise.resolve(sent.push(deadlineMs)),
    );

    expect(answer).toEqual({ unknown: { kind: 'unknown', cause: 'timeout', sent: false } });
    expect(sent).toEqual([]);
  });

  it('gives each step only what the steps before have left', async () => {
    const given: number[] = [];
    await withAccessToken(
      { accessTokens: tokens, deadlineMs: 10_000 },
      async (deadlineMs) => {
        given.push(deadlineMs);
        await after(5);
        return { token: TOKEN };
      },
      async (_, deadlineMs) => {
        given.push(deadlineMs);
        await after(5);
        return UNAUTHORISED;
      },
    );

    expect(given).toHaveLength(4);
    expect(given.every((limit, place) => limit <= 10_000 - 5 * place + 1)).toBe(true);
  });
});
