import type { TestServer } from '../support/server.ts';
import { connect } from './seed-services.ts';

type Server = Pick<TestServer, 'graphql'>;
type Input = Readonly<Record<string, unknown>>;

/** The ids of two services of cards in euros, and of a rule set with two versions. */
export type SeededRules = {
  readonly services: readonly [north: string, south: string];
  readonly ruleSet: string;
  readonly versions: readonly [first: string, second: string];
};

/** Sends a mutation, and returns an id of its answer. Throws on a refusal. */
async function idOf(server: Server, document: string, variables: Input): Promise<string> {
  type Data = { readonly answer: { readonly id: string | null } };
  const { body } = await server.graphql<Data>(document, variables);
  const id = body.data?.answer.id;
  if (id === undefined || id === null) throw new Error(JSON.stringify(body));
  return id;
}

/** Creates a rule set. Returns its id. */
export const createRuleSet = (server: Server, name: string): Promise<string> =>
  idOf(
    server,
    `mutation ($name: String!) { answer: createRoutingRuleSet(input: { name: $name }) {
      id: routingRuleSetId userErrors { message } } }`,
    { name },
  );

/** Adds a version to a rule set. Returns its id. */
export const createVersion = (server: Server, ruleSetId: string, input: Input): Promise<string> =>
  idOf(
    server,
    `mutation ($ruleSetId: ID!, $input: CreateRoutingRuleSetVersionInput!) {
      answer: createRoutingRuleSetVersion(ruleSetId: $ruleSetId, input: $input) {
        id: routingRuleSetVersionId userErrors { message path } } }`,
    { ruleSetId, input },
  );

/** Activates a version, or none. Returns the id of the activation. */
export const activate = (server: Server, input: Input): Promise<string> =>
  idOf(
    server,
    `mutation ($input: ActivateRoutingRuleSetInput!) { answer: activateRoutingRuleSet(input: $input) {
      id: routingActivationId userErrors { message path } } }`,
    { input },
  );

/** Creates a value set. Returns its id. */
export const createValueSet = (server: Server, input: Input): Promise<string> =>
  idOf(
    server,
    `mutation ($input: CreateRoutingValueSetInput!) { answer: createRoutingValueSet(input: $input) {
      id: routingValueSetId userErrors { message path } } }`,
    { input },
  );

/** Creates services, a value set, and a rule set whose second version differs in each way. The first version decides. */
export async function seedRoutingRules(server: Server): Promise<SeededRules> {
  const card = { definition: 'mock-acquirer' };
  const north = await connect(server, { ...card, displayName: 'North' });
  const south = await connect(server, { ...card, displayName: 'South' });
  const issuers = { name: 'Our issuers', kind: 'BIN', values: ['41111100-41111199', '555555'] };
  const binIn = await createValueSet(server, issuers);
  const ruleSet = await createRuleSet(server, 'Cards');
  const [large, night, trial] = [
    {
      name: 'Large payments',
      conditions: [
        { fact: { amount: { currency: 'EUR', min: 10_000 } } },
        { fact: { country: ['DE', 'FR'] } },
      ],
      action: { order: { paymentServiceIds: [south, north] } },
    },
    {
      name: 'At night',
      conditions: [
        { fact: { binIn }, not: true },
        {
          fact: { localTime: { zone: 'Europe/Berlin', days: ['FRI', 'SAT'], from: '22:00', to: '06:00' } },
        },
      ],
      action: { refuse: { code: 'not_at_night' } },
    },
    {
      name: 'Trial',
      conditions: [{ anyOf: [{ fact: { scheme: ['VISA'] } }, { fact: { metadata: { name: 'shop' } } }] }],
      action: {
        split: [
          { weight: 5, paymentServiceIds: [south] },
          { weight: 95, paymentServiceIds: [north], onlyThese: true },
        ],
      },
    },
  ] as const;
  const first = await createVersion(server, ruleSet, { rules: [large, night, trial], note: 'The start' });
  await activate(server, { versionId: first, note: 'Reviewed by Kim' });
  const second = await createVersion(server, ruleSet, {
    rules: [
      { ...trial, name: 'Visa alone', conditions: [{ fact: { scheme: ['VISA'] } }] },
      night,
      {
        ...large,
        conditions: [
          { fact: { amount: { currency: 'EUR', min: 25_000 } } },
          { fact: { country: ['DE', 'FR'] } },
        ],
        action: { positions: true },
        threeDSecure: 'ALWAYS',
      },
    ],
  });
  return { services: [north, south], ruleSet, versions: [first, second] };
}
