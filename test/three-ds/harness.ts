import { startTestServer, type TestServer } from '../support/server.ts';
import { relayAll } from '../support/relay-all.ts';

export type Input = Readonly<Record<string, unknown>>;
export type Scenario = {
  readonly id: string;
  readonly position: number;
  readonly updatedAt: string;
  readonly [field: string]: unknown;
};
export type UserError = { readonly code: string; readonly message: string; readonly path: readonly string[] };
export type Changed = {
  readonly threeDSScenario: Scenario | null;
  readonly userErrors: readonly UserError[];
};
export type Deleted = { readonly deletedId: string | null; readonly userErrors: readonly UserError[] };
export type Explanation = {
  readonly source: string;
  readonly scenario: { readonly id: string } | null;
  readonly outcome: Input | null;
  readonly authenticated: Input | null;
  readonly passedOver: readonly {
    readonly scenario: { readonly id: string };
    readonly unmet: readonly { readonly condition: string; readonly message: string }[];
  }[];
};

/** A separate merchant account, with helpers for its scenarios. */
export type Tenant = {
  readonly id: string;
  create(conditions: Input, outcome?: Input): Promise<Changed>;
  /** Creates a scenario. Throws when it is refused. */
  made(conditions: Input, outcome?: Input): Promise<Scenario>;
  update(id: string, input: Input): Promise<Changed>;
  move(id: string, to: Input): Promise<Changed>;
  remove(id: string): Promise<Deleted>;
  get(id: string): Promise<Scenario | null>;
  /** Returns the ids in the order of the list, read page by page. */
  order(pageSize?: number): Promise<readonly string[]>;
  explain(input: Input): Promise<Explanation>;
  /** Lists names and ids of the events about scenarios, in the order of the feed. */
  events(): Promise<readonly (readonly [name: string, id: string])[]>;
  /** Runs any document. Throws on an error. */
  ask<Data>(document: string, variables: Input): Promise<Data>;
};

export const SCENARIO = `id merchantAccountId position
  conditions { firstName lastName emailAddress amount externalIdentifier cardNumber { bin lastFour } }
  outcome { enrollment version authentication challengeResult } createdAt updatedAt`;
const ERRORS = 'userErrors { __typename code message path }';

/** The documents of all operations. Each names its field `answer`. */
export const DOCUMENTS = {
  create: `mutation ($input: CreateThreeDSScenarioInput!) {
    answer: createThreeDSScenario(input: $input) { threeDSScenario { ${SCENARIO} } ${ERRORS} } }`,
  update: `mutation ($id: ID!, $input: UpdateThreeDSScenarioInput!) {
    answer: updateThreeDSScenario(id: $id, input: $input) { threeDSScenario { ${SCENARIO} } ${ERRORS} } }`,
  move: `mutation ($id: ID!, $to: ThreeDSPlacementInput!) {
    answer: moveThreeDSScenario(id: $id, to: $to) { threeDSScenario { ${SCENARIO} } ${ERRORS} } }`,
  remove: `mutation ($id: ID!) { answer: deleteThreeDSScenario(id: $id) { deletedId ${ERRORS} } }`,
  get: `query ($id: ID!) { answer: threeDSScenario(id: $id) { ${SCENARIO} } }`,
  list: `query ($first: Int, $after: String, $last: Int, $before: String) {
    answer: threeDSScenarios(first: $first, after: $after, last: $last, before: $before) {
      nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  explain: `query ($input: ExplainThreeDSScenarioInput!) { answer: explainThreeDSScenario(input: $input) {
    source scenario { id } outcome { enrollment version authentication challengeResult }
    authenticated { method status eci proven }
    passedOver { scenario { id } unmet { condition message } } } }`,
} as const;

export type Page = {
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

export const AUTHENTICATED = { authentication: 'Y' };

export type Harness = {
  readonly server: TestServer;
  tenant(): Promise<Tenant>;
  stop(): Promise<void>;
};

/** Starts several servers on one database. A tenant calls them in turn. */
export async function startHarness({ servers: count = 1 } = {}): Promise<Harness> {
  const server = await startTestServer();
  const { DATABASE_URL = '' } = server.app.config;
  const others = Array.from({ length: count - 1 }, () => startTestServer({ settings: { DATABASE_URL } }));
  const servers: readonly [TestServer, ...TestServer[]] = [server, ...(await Promise.all(others))];
  return {
    server,
    tenant: async () => {
      const { id, token } = await server.createMerchantAccount();
      return tenantOf(servers, id, token);
    },
    stop: async () => {
      for (const each of servers.toReversed()) await each.stop();
    },
  };
}

function tenantOf(servers: readonly [TestServer, ...TestServer[]], id: string, token: string): Tenant {
  const [first] = servers;
  let turn = 0;
  const ask: Tenant['ask'] = async <Data>(document: string, variables: Input): Promise<Data> => {
    const server = servers[(turn += 1) % servers.length] ?? first;
    const { body } = await server.graphql<{ answer: Data }>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.answer;
  };
  const create: Tenant['create'] = (conditions, outcome = AUTHENTICATED) =>
    ask(DOCUMENTS.create, { input: { conditions, outcome } });
  return {
    id,
    ask,
    create,
    made: async (conditions, outcome) => {
      const { threeDSScenario, userErrors } = await create(conditions, outcome);
      if (!threeDSScenario) throw new Error(JSON.stringify(userErrors));
      return threeDSScenario;
    },
    update: (scenarioId, input) => ask(DOCUMENTS.update, { id: scenarioId, input }),
    move: (scenarioId, to) => ask(DOCUMENTS.move, { id: scenarioId, to }),
    remove: (scenarioId) => ask(DOCUMENTS.remove, { id: scenarioId }),
    get: (scenarioId) => ask(DOCUMENTS.get, { id: scenarioId }),
    order: async (pageSize = 100) => {
      const ids: string[] = [];
      for (let after: string | null = null, more = true; more;) {
        const { nodes, pageInfo }: Page = await ask<Page>(DOCUMENTS.list, { first: pageSize, after });
        ids.push(...nodes.map((node) => node.id));
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
      }
      return ids;
    },
    explain: (input) => ask(DOCUMENTS.explain, { input }),
    events: async () => {
      await relayAll(first.app);
      return await allEvents(ask);
    },
  };
}

async function allEvents(ask: Tenant['ask']): Promise<readonly (readonly [name: string, id: string])[]> {
  type Feed = {
    readonly nodes: readonly { readonly name: string; readonly payload: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
  const found: (readonly [string, string])[] = [];
  for (let after: string | null = null, more = true; more;) {
    const page: Feed = await ask<Feed>(
      `query ($after: String) { answer: events(first: 100, after: $after) {
        nodes { name payload } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    for (const { name, payload } of page.nodes)
      found.push([name, (JSON.parse(payload) as { target: { id: string } }).target.id]);
    [after, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
  }
  return found;
}
