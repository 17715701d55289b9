import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { readModel } from '../../src/graph/federation/subgraph-model.ts';
import { ALLOWED_BREAKS } from './released/allowed.ts';
import { breakingChanges } from './released/breaking-changes.ts';
import { contractFaults, readReleased } from './released/check.ts';
import { contractOf, presentContract } from './released/contract.ts';

const present = presentContract();

/** Returns the present contract with one text replaced. The text is there once. */
function changed(from: string, to: string): string {
  if (present.split(from).length !== 2) throw new Error(`The contract does not hold this text once: ${from}`);
  return present.replace(from, to);
}

describe('the schema', () => {
  it('breaks nothing of the last release that is not allowed (else see .github/CONTRIBUTING.md)', () => {
    expect(contractFaults(readReleased(), present, ALLOWED_BREAKS)).toEqual([]);
  });
});

describe('a change of the contract', () => {
  it.each([
    [
      'a field is gone',
      '  reconciliationId: String!\n  displayName',
      '  displayName',
      'reconciliationId was removed',
    ],
    [
      'an argument is needed',
      'eventTypes:',
      'eventTypes(of: String!):',
      'required arg of on Query.eventTypes was added',
    ],
    ['a value may be null', 'type Money {\n  amount: Int!', 'type Money {\n  amount: Int', 'changed type'],
    [
      'an enum value is gone',
      '  PAYMENT_METHOD\n  GIFT_CARD_REDEMPTION\n',
      '  PAYMENT_METHOD\n',
      'GIFT_CARD_REDEMPTION was removed',
    ],
    ['a key is gone', ' @key(fields: "externalIdentifier")', '', 'Buyer lost its key "externalIdentifier".'],
    [
      'a scope is another',
      '  declineCodes: [DeclineCode!]! @requiresScopes(scopes: [["transactions.read"]])',
      '  declineCodes: [DeclineCode!]! @requiresScopes(scopes: [["audit.read"]])',
      'Query.declineCodes requires other scopes: audit.read.',
    ],
  ])('breaks when %s', (_, from, to, fault) => {
    const faults = contractFaults(present, changed(from, to), []);

    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('Breaks the last release: ');
    expect(faults[0]).toContain(fault);
  });

  it.each([
    ['a field is new', 'type Money {\n', 'type Money {\n  more: Int\n'],
    ['an argument is optional', 'eventTypes:', 'eventTypes(of: String):'],
    [
      'a field says itself what its type requires',
      '  nodes: [Payout!]!\n',
      '  nodes: [Payout!]! @requiresScopes(scopes: [["settlements.read"]])\n',
    ],
    [
      'a scope is one more choice',
      '  declineCodes: [DeclineCode!]! @requiresScopes(scopes: [["transactions.read"]])',
      '  declineCodes: [DeclineCode!]! @requiresScopes(scopes: [["transactions.read"], ["audit.read"]])',
    ],
  ])('breaks nothing when %s', (_, from, to) => {
    expect(breakingChanges(present, changed(from, to))).toEqual([]);
  });
});

describe('an allowed break', () => {
  const next = changed('type Money {\n  amount: Int!\n', 'type Money {\n');
  const [change = ''] = breakingChanges(present, next);
  const entry = { change, reason: 'Cents are not enough.', since: '2026-11-26' };

  it('lets the change pass', () => {
    expect(change).toBe('Money.amount was removed.');
    expect(contractFaults(present, next, [entry])).toEqual([]);
  });

  it.each([
    [{ ...entry, reason: ' ' }, 'Allowed without a reason: Money.amount was removed.'],
    [{ ...entry, since: '2026-02-30' }, 'Allowed without a day as YYYY-MM-DD: Money.amount was removed.'],
    [{ ...entry, since: 'today' }, 'Allowed without a day as YYYY-MM-DD: Money.amount was removed.'],
  ])('needs a reason and a day: %j', (given, fault) => {
    expect(contractFaults(present, next, [given])).toEqual([fault]);
  });

  it('is refused when the change is not there', () => {
    expect(contractFaults(present, present, [entry])).toEqual([
      'Allowed, and no break: Money.amount was removed.',
    ]);
  });
});

describe('a contract', () => {
  it('has the keys and scopes of the subgraphs, and no descriptions', () => {
    const sdl =
      'type T @key(fields: "b a") @requiresScopes(scopes: [["t.read"]]) { a: ID! b: Int @requiresScopes(scopes: [["x"], ["y"]]) }';
    const api = parse('"A thing." type T { "The a." a: ID! b: Int @deprecated(reason: "Old.") }');

    expect(contractOf(api, [readModel({ name: 'one', resolvers: {} }, sdl)])).toBe(
      [
        'type T @key(fields: "b a") @requiresScopes(scopes: [["t.read"]]) {',
        '  a: ID!',
        '  b: Int @deprecated(reason: "Old.") @requiresScopes(scopes: [["x"], ["y"]])',
        '}\n',
      ].join('\n'),
    );
  });
});
