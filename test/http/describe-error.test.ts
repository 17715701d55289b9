import { describe, expect, it } from '@jest/globals';
import { describeError } from '../../src/platform/describe-error.ts';

describe('describeError', () => {
  it('keeps the cause', () => {
    const error = Object.assign(new TypeError("Cannot read properties of undefined (reading 'id')"), {
      code: 'E1',
      query: 'secret',
    });

    const described = describeError(error);

    expect(described).toEqual({
      name: 'TypeError',
      code: 'E1',
      message: "Cannot read properties of undefined (reading 'id')",
      frames: expect.arrayContaining([expect.stringContaining('describe-error.test.ts')]),
    });
  });

  it.each([
    ['invalid input syntax for type uuid: "4111111111111111"', 'invalid input syntax for type uuid: "…"'],
    ['card 4111 1111 1111 1111 refused', 'card … refused'],
    [
      'Invalid `create()` invocation:\n{ number: "4111" }\n\nArgument `number` is missing.',
      'Argument `number` is missing.',
    ],
    ['x'.repeat(400), 'x'.repeat(300)],
  ])('leaves values out of %j', (message, expected) => {
    expect(describeError(new Error(message)).message).toBe(expected);
  });

  it('tells the reasons of several hosts, each once and without values', () => {
    const refused = (port: number) =>
      Object.assign(new Error(`connect ECONNREFUSED 10.0.0.1:${port}`), { code: 'ECONNREFUSED' });
    const inner = [
      refused(5432),
      refused(5433),
      refused(5432),
      new AggregateError([new Error('role "ada" 4111 1111 1111 1111')]),
    ];

    expect(describeError(new AggregateError(inner, 'All promises were rejected'))).toMatchObject({
      name: 'AggregateError',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 10.0.0.1:5432; connect ECONNREFUSED 10.0.0.1:5433; role "…" …',
    });
    expect(describeError(new AggregateError([], 'All promises were rejected')).message).toBe(
      'All promises were rejected',
    );
  });

  it('does not inspect values that are no errors', () => {
    expect(describeError({ secret: 1 })).toEqual({
      name: 'object',
      message: 'Not an error object.',
      frames: [],
    });
  });
});
