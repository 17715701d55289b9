import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { schema } from './harness.ts';
import { describeRepeats } from './repeats.ts';
import { faultsOf } from './rule.ts';
import { scenarios } from './scenarios.ts';

describe('the schema', () => {
  it('has a key, a replayed field and a scenario here for each mutation that is no exception', () => {
    expect(faultsOf(schema, Object.keys(scenarios))).toEqual([]);
  });

  it('would be refused without them', () => {
    const sdl = buildSchema(`
      type Query { a: Int }
      type Bare { a: Int }
      type Full { replayed: Boolean! }
      type Mutation {
        storeThing(idempotencyKey: String!): Bare!
        adjustThing: Full!
        resolveThing(idempotencyKey: String): Full!
        syncThing: Bare!
        updateThing(idempotencyKey: String): Full!
        moveThing: Bare!
        createThing(idempotencyKey: String): Full!
      }`);

    const excepted = {
      ...{ syncThing: 'by nature', updateThing: 'why?', moveThing: 'why?' },
      storage: 'is there one?',
    };
    expect(faultsOf(sdl, ['createThing', 'moveThing', 'deleteThing'], excepted)).toEqual([
      'storeThing: takes no idempotencyKey: String',
      'storeThing: its payload has no replayed: Boolean!',
      'storeThing: has no entry in test/idempotency/scenarios.ts',
      'adjustThing: takes no idempotencyKey: String',
      'adjustThing: has no entry in test/idempotency/scenarios.ts',
      'resolveThing: has no entry in test/idempotency/scenarios.ts',
      'updateThing: an exception that is none',
      'moveThing: an exception that is none',
      'deleteThing: a scenario of no mutation',
      'storage: an exception of no mutation',
    ]);
  });
});

// A mutation without a provider, and one with. matrix.long.test.ts runs all of them.
const KINDS = ['createApiKeyPair', 'captureTransaction'];
describeRepeats(
  Object.fromEntries(
    KINDS.map((mutation) => {
      const scenario = scenarios[mutation];
      if (!scenario) throw new Error(`${mutation} has no scenario.`);
      return [mutation, scenario];
    }),
  ),
);
