import { describe, expect, it } from '@jest/globals';
import { readModel } from '../../src/graph/federation/subgraph-model.ts';
import { readSdl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';

const models = SUBGRAPHS.map((name) => readModel({ name, resolvers: {} }, readSdl(name)));

/** The fields that hold names, addresses and contact data of people. */
const PERSONAL = ['emailAddress', 'firstName', 'lastName', 'line1', 'taxId', 'billingDetails'];

/** The parts of a buyer, which a mutation shows to whoever may write buyers. */
const WRITABLE = ['Address', 'BillingDetails', 'Buyer', 'ShippingDetails', 'TaxId'];

/** The conditions of a sandbox scenario describe no buyer. */
const INVENTED = 'ThreeDSConditions';

describe('the scope of a type', () => {
  it.each(SUBGRAPHS)('is buyers.read for each type with personal data in %s', (name) => {
    const { objects, guards } = readModel({ name, resolvers: {} }, readSdl(name));
    const personal = [...objects.values()].filter(
      (type) => type.name !== INVENTED && PERSONAL.some((field) => type.fields.has(field)),
    );

    expect(personal.map((type) => [type.name, guards.get(type.name)])).toEqual(
      personal.map((type) => [
        type.name,
        WRITABLE.includes(type.name) ? [['buyers.read'], ['buyers.write']] : [['buyers.read']],
      ]),
    );
  });

  it('is declared for each entity at its home', () => {
    const entities = models.flatMap(({ objects, guards }) =>
      [...objects.values()]
        .filter(({ keys }) => keys.some(({ resolvable }) => resolvable))
        .map((type) => [type.name, guards.has(type.name)] as const),
    );
    const declared = new Set(entities.filter(([, guarded]) => guarded).map(([name]) => name));

    expect(entities.map(([name]) => name).filter((name) => !declared.has(name))).toEqual([]);
  });
});
