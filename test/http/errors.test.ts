import { beforeEach, describe, expect, it } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { createErrorPresenter } from '../../src/http/answers/errors.ts';
import { requestIds } from '../../src/http/answers/request-id.ts';
import { coded } from '../../src/graph/errors.ts';
import { createLog, type Log } from '../../src/platform/log.ts';

const logged: unknown[] = [];
const log: Log = { ...createLog('silent'), error: (fields: unknown) => void logged.push(fields) };
const present = (error: GraphQLError) =>
  requestIds.run('request-1', () => createErrorPresenter({ log })(error));
beforeEach(() => void logged.splice(0));

/** Wraps an error as graphql-js does for a resolver. */
const thrown = (originalError: Error) =>
  new GraphQLError(originalError.message, { originalError, path: ['transaction'] });

const MASKED = {
  message: 'Something went wrong here. Ask the operator about request request-1.',
  extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'request-1' },
};

describe('an error of ours', () => {
  it('keeps its message, code and data', () => {
    const error = thrown(
      coded('FORBIDDEN', 'The token lacks the scope a.read.', { requiredScopes: [['a.read']] }),
    );

    expect(present(error)).toEqual({
      message: 'The token lacks the scope a.read.',
      path: ['transaction'],
      extensions: { code: 'FORBIDDEN', requiredScopes: [['a.read']] },
    });
    expect(logged).toEqual([]);
  });

  it.each(['http', 'stacktrace'])('does not show %s', (name) => {
    expect(present(coded('FORBIDDEN', 'No.', { [name]: ['at secret.ts'] }))).toEqual({
      message: 'No.',
      extensions: { code: 'FORBIDDEN' },
    });
  });
});

describe('a fault', () => {
  it.each([
    ['a plain error', thrown(new Error('secret'))],
    [
      'an error of a library that has a code',
      thrown(Object.assign(new Error('secret'), { extensions: { code: 'FORBIDDEN' } })),
    ],
    ['a GraphQL error without a code', thrown(new GraphQLError('secret'))],
    [
      'a GraphQL error with the code of faults',
      new GraphQLError('secret', { extensions: { code: 'INTERNAL_SERVER_ERROR', secret: 1 } }),
    ],
    [
      'a value that does not fit the schema',
      new GraphQLError('Int cannot represent non-integer value: "secret"', { path: ['transaction'] }),
    ],
  ])('is masked: %s', (_what, error) => {
    const shown = present(error);

    expect(shown).toEqual({ ...MASKED, ...(error.path && { path: ['transaction'] }) });
    expect(logged).toEqual([
      { requestId: 'request-1', error: expect.objectContaining({ name: expect.any(String) }) },
    ]);
  });
});

describe('refused input', () => {
  it.each([
    ['Variable "$id" of required type "ID!" was not provided.'],
    ['Argument "id" of non-null type "ID!" must not be null.'],
    ['Too many errors processing variables, error limit reached. Execution aborted.'],
  ])('is distinguished from a fault: %s', (message) => {
    expect(present(new GraphQLError(message))).toEqual({ message, extensions: { code: 'BAD_USER_INPUT' } });
    expect(logged).toEqual([]);
  });
});
