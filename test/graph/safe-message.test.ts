import { describe, expect, it } from '@jest/globals';
import { execute, GraphQLError, parse, validate, type ExecutionResult } from 'graphql';
import { coded } from '../../src/graph/errors.ts';
import { safeMessage } from '../../src/graph/safe-message.ts';
import { executableSchema } from '../../src/graph/federation/executable-schema.ts';

const schema = executableSchema(
  parse(`
    scalar DateTime
    scalar StringMap
    scalar SequenceNumber
    scalar MinorUnits
    enum Status { OPEN CLOSED }
    input Card { number: String!, year: Int, ratio: Float, on: Boolean, id: ID, status: Status, at: DateTime, tags: StringMap, inner: Card, list: [Int!] }
    input Either @oneOf { a: String, b: Int }
    type Query {
      pay(card: Card, status: Status, amount: Int, at: DateTime, tags: StringMap, sequence: SequenceNumber, units: MinorUnits, either: Either, needed: Int! = 1): Query
      name: String
    }
  `),
);

const CANARIES = [
  '4111111111111111',
  '5555 5555 5555 4444',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  '378282246310005',
];

/** Lists every error of a document and its variables, in the words of graphql-js. */
function errorsOf(text: string, variables: Readonly<Record<string, unknown>> = {}): readonly GraphQLError[] {
  try {
    const document = parse(text);
    const invalid = validate(schema, document);
    if (invalid.length > 0) return invalid;
    return (
      (execute({ schema, document, variableValues: variables, operationName: undefined }) as ExecutionResult)
        .errors ?? []
    );
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

describe('no message repeats a value', () => {
  const literals = (canary: string): string[] => {
    const text = JSON.stringify(canary);
    const digits = canary.replace(/\D/g, '').padEnd(15, '4');
    const word = canary.replace(/\W/g, '_').replace(/^(\d)/, 'x$1');
    return [
      `{ pay(amount: ${text}) { name } }`,
      `{ pay(amount: ${digits}) { name } }`,
      `{ pay(amount: ${digits}.5) { name } }`,
      `{ pay(amount: ${word}) { name } }`,
      `{ pay(amount: [${text}]) { name } }`,
      `{ pay(amount: { ${word}: ${text} }) { name } }`,
      `{ pay(status: ${text}) { name } }`,
      `{ pay(status: ${word}) { name } }`,
      `{ pay(status: ${digits}) { name } }`,
      `{ pay(card: ${text}) { name } }`,
      `{ pay(card: { number: ${digits} }) { name } }`,
      `{ pay(card: { number: "", year: ${text}, ratio: ${text}, on: ${text}, id: true, list: ${text} }) { name } }`,
      `{ pay(card: { number: "", ${word}: 1 }) { name } }`,
      `{ pay(card: { year: { number: ${text} } }) { name } }`,
      `{ pay(card: { number: "", inner: { year: ${text} } }) { name } }`,
      `{ pay(at: ${text}) { name } }`,
      `{ pay(at: ${digits}) { name } }`,
      `{ pay(tags: ${text}) { name } }`,
      `{ pay(tags: { a: ${digits} }) { name } }`,
      `{ pay(sequence: ${text}) { name } }`,
      `{ pay(either: { a: ${text}, b: 1 }) { name } }`,
      `{ pay(${word}: ${text}) { name } }`,
      `{ ${word} }`,
      `{ name @${word} }`,
      `{ ...${word} }`,
      `{ pay(amount: $${word}) { name } }`,
      `query($${word}: Int) { name }`,
      `query($v: ${word}) { name }`,
      `query($v: Int = ${text}) { pay(amount: $v) { name } }`,
      `query ${word} { name } query ${word} { name }`,
      `query($v: Int!) { pay(status: $v) { name } }`,
      // Syntax errors
      `{ pay(amount: ${text} }`,
      `{ pay(amount: ) ${text} }`,
      `{ pay(amount: ${canary}) { name } }`,
      `{ pay(card: ${text}${text}) { name } `,
      `${word} { name }`,
      `{ name } ${text}`,
      `{ name } ${digits}`,
      `{ pay(amount: "${canary}) { name } }`,
      `{ pay(amount: """${canary}) { name } }`,
      `{ pay(amount: "\\u${digits}") { name } }`,
      `{ pay(amount: "\\x${digits}") { name } }`,
      `{ pay(amount: 0${digits}) { name } }`,
      `{ pay(amount: ${digits}a) { name } }`,
      `{ pay(amount: '${canary}') { name } }`,
      `query($a: Int = $${word}) { name }`,
      `{ name # ${canary}\n ! }`,
    ];
  };

  const variables = (canary: string): [string, unknown][] => {
    const objects: [string, unknown][] = [
      ['Card', canary],
      ['Card', { number: [canary] }],
      ['Card', { number: { deep: canary } }],
      ['Card', { number: Number(canary.replace(/\D/g, '').padEnd(15, '4')) }],
      ['Card', { number: '', year: canary, ratio: canary, on: canary, id: { canary }, list: [canary] }],
      ['Card', { number: '', status: canary }],
      ['Card', { number: '', status: [canary] }],
      ['Card', { number: '', [canary]: 1 }],
      ['Card', { number: '', inner: { number: '', inner: { number: canary, year: canary } } }],
      ['Card', { year: canary, number: `x"; Expected type "${canary}"` }],
      ['Card', { number: '', year: `at "${canary}"; Int cannot represent` }],
      ['Card', { number: '', tags: { a: [canary] }, at: canary }],
      ['Card', { number: '', tags: { [canary]: null } }],
      ['Either', { a: canary, b: 1 }],
      ['Either', { [canary]: 1 }],
      ['Either', { a: canary, [canary]: 1 }],
    ];
    return [
      ...objects,
      ['Int', canary],
      ['Int', Number(canary.replace(/\D/g, '').padEnd(15, '4'))],
      ['Int', [canary]],
      ['Int', { [canary]: canary }],
      ['Status', canary],
      ['Status', { a: canary }],
      ['DateTime', canary],
      ['DateTime', Number(canary.replace(/\D/g, '').padEnd(15, '4'))],
      ['StringMap', canary],
      ['StringMap', { a: Number(canary.replace(/\D/g, '').padEnd(15, '4')) }],
      ['SequenceNumber', canary],
      ['MinorUnits', canary],
    ];
  };

  const ARGUMENTS: Readonly<Record<string, string>> = {
    Card: 'card',
    Either: 'either',
    Int: 'amount',
    Status: 'status',
    DateTime: 'at',
    StringMap: 'tags',
    SequenceNumber: 'sequence',
    MinorUnits: 'units',
  };

  const expectNoTrace = (errors: readonly GraphQLError[], canary: string): void => {
    for (const error of errors) {
      const message = safeMessage(error);
      const squeezed = message.replace(/\W|_/g, '');
      expect(squeezed).not.toContain(canary.replace(/\W|_/g, ''));
      expect(message).not.toMatch(/\d{5}/);
      expect(message.length).toBeGreaterThan(15);
    }
  };

  it.each(CANARIES)('in a document: %s', (canary) => {
    for (const text of literals(canary)) {
      const errors = errorsOf(text);
      expect({ text, failed: errors.length > 0 }).toEqual({ text, failed: true });
      expectNoTrace(errors, canary);
    }
  });

  it.each(CANARIES)('in variables: %s', (canary) => {
    for (const [type, value] of variables(canary)) {
      const errors = errorsOf(`query($v: ${type}) { pay(${ARGUMENTS[type] ?? ''}: $v) { name } }`, {
        v: value,
      });
      expect({ value, failed: errors.length > 0 }).toEqual({ value, failed: true });
      expectNoTrace(errors, canary);
    }
  });

  it('in the name of an unknown operation', () => {
    const { errors = [] } = execute({
      schema,
      document: parse('query A { name }'),
      operationName: '4111111111111111',
    }) as ExecutionResult;

    expect(errors.map(safeMessage)).toEqual(['The document has no operation of this name.']);
  });
});

describe('a message stays useful', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>?]>(
    [
      ['{ nmae }', 'Cannot query field "nmae" on type "Query". Did you mean "name"?'],
      ['{ pay { } }', 'Syntax Error: Expected Name, found "}".'],
      ['{ pay(amount: 1', 'Syntax Error: Expected Name, found <EOF>.'],
      ['qurey { name }', 'Syntax Error: Unexpected Name.'],
      ['{ pay(amount: "12") { name } }', 'Int cannot represent a non-integer value.'],
      ['{ pay(amount: 99999999999) { name } }', 'Int cannot represent a non 32-bit signed integer value.'],
      ['{ pay(status: OPNE) { name } }', 'The value does not exist in the enum "Status".'],
      ['{ pay(status: "OPEN") { name } }', 'Enum "Status" cannot represent a non-enum value.'],
      ['{ pay(card: 1) { name } }', 'Expected a value of type "Card".'],
      ['{ pay(card: {}) { name } }', 'Field "Card.number" of required type "String!" was not provided.'],
      [
        '{ pay(card: { number: "", yaer: 1 }) { name } }',
        'Field "yaer" is not defined by type "Card". Did you mean "year"?',
      ],
      [
        '{ pay(at: "yesterday") { name } }',
        'DateTime must be an ISO 8601 date-time with offset, for example 2026-01-31T09:30:00.000Z.',
      ],
      [
        '{ pay { name { first } } }',
        'Field "name" must not have a selection since type "String" has no subfields.',
      ],
      [
        '{ pay }',
        'Field "pay" of type "Query" must have a selection of subfields. Did you mean "pay { ... }"?',
      ],
      [
        '{ pay(amuont: 1) { name } }',
        'Unknown argument "amuont" on field "Query.pay". Did you mean "amount"?',
      ],
      ['{ pay(needed: null) { name } }', 'Expected a value of type "Int!".'],
      [
        '{ pay(amount: 1) { name } pay(amount: 2) { name } }',
        'Fields "pay" conflict because they have differing arguments. Use different aliases on the fields to fetch both if this was intentional.',
      ],
      [
        'query($v: Int) { pay(status: $v) { name } }',
        'Variable "$v" of type "Int" used in position expecting type "Status".',
      ],
      [
        'query($v: Int!) { pay(amount: $v) { name } }',
        'Variable "$v" of required type "Int!" was not provided.',
      ],
      [
        'query($v: Int!) { pay(amount: $v) { name } }',
        'Variable "$v" of non-null type "Int!" must not be null.',
        { v: null },
      ],
      [
        'query($v: Int) { pay(amount: $v) { name } }',
        'Variable "$v" got an invalid value; Int cannot represent a non-integer value.',
        { v: 'x' },
      ],
      [
        'query($v: Card) { pay(card: $v) { name } }',
        'Variable "$v" got an invalid value at "v.inner.list[1]"; Int cannot represent a non-integer value.',
        { v: { number: '', inner: { number: '', list: [1, 'x'] } } },
      ],
      [
        'query($v: Card) { pay(card: $v) { name } }',
        'Variable "$v" got an invalid value at "v.tags"; StringMap values must have at most 500 characters.',
        { v: { number: '', tags: { a: 'x'.repeat(501) } } },
      ],
      [
        'query($v: Either) { pay(either: $v) { name } }',
        'Variable "$v" got an invalid value; Exactly one key must be specified for OneOf type "Either".',
        { v: {} },
      ],
      [
        'query($v: Int = 1) { pay(needed: $v) { name } }',
        'Argument "needed" of non-null type "Int!" must not be null.',
        { v: null },
      ],
      ['{ ...F } fragment F on Query { pay { ...F } }', 'Cannot spread fragment "F" within itself.'],
    ].map(([text = '', message = '', given]) => [
      text as string,
      message as string,
      (given ?? {}) as Readonly<Record<string, unknown>>,
    ]),
  )('%s', (text, message, given) => {
    expect(safeMessage(errorsOf(text, given)[0] ?? new GraphQLError('none'))).toBe(message);
  });

  it('and quick to make, whatever the value is', () => {
    const value = `${' at "'.repeat(50_000)}${'a'.repeat(200_000)}!"`;
    const [error] = errorsOf('query($v: Card) { pay(card: $v) { name } }', {
      v: { number: '', year: value },
    });
    const started = process.cpuUsage();

    expect(safeMessage(error ?? new GraphQLError('none'))).toBe(
      'Variable "$v" got an invalid value at "v.year"; Int cannot represent a non-integer value.',
    );
    // A message takes a millisecond of the processor. A backtracking pattern would take for ever.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });

  it('when it is ours', () => {
    const ours = coded('INVALID_INPUT', 'first: Must be 1 to 100. {0} 20000');

    expect(safeMessage(ours)).toBe(ours.message);
  });

  it('even after Apollo Server has added a code', () => {
    const [error] = errorsOf('{ pay(amount: "4111111111111111") { name } }');
    const message = safeMessage({
      message: error?.message ?? '',
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });

    expect(message).toBe('Int cannot represent a non-integer value.');
  });
});
