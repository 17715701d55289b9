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

  it('does not inspect values that are no errors', () => {
    expect(describeError({ secret: 1 })).toEqual({
      name: 'object',
      message: 'Not an error object.',
      frames: [],
    });
  });
});
