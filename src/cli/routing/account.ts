import type { Access } from '../service/access.ts';
import { askForData } from '../service/ask.ts';
import type { FileValueSet, Json } from './file.ts';
import { RefusedError } from '../exit-code.ts';

/** A record that a file may name by its name or its id. */
export type Named = { readonly id: string; readonly name: string };

export type RuleSet = Named & { readonly latestVersion: number };

export type ValueSet = Named & FileValueSet;

/** A version of a rule set, with the values that it copied from value sets. */
export type Version = {
  readonly id: string;
  readonly number: number;
  readonly note: string | null;
  readonly ruleSet: Named;
  readonly rules: readonly Json[];
  readonly valueSets: readonly {
    readonly valueSet: ValueSet;
    readonly values: readonly string[];
  }[];
};

/** The records of a merchant account that files name. */
export type Account = {
  readonly services: readonly Named[];
  readonly ruleSets: readonly RuleSet[];
  readonly valueSets: readonly ValueSet[];
};

/** Reads the records that files name, all pages of each list. */
export async function readAccount(access: Access): Promise<Account> {
  const services = await readAll<{ readonly id: string; readonly displayName: string }>(
    access,
    'paymentServices',
    'id displayName',
  );
  return {
    services: services.map(({ id, displayName }) => ({ id, name: displayName })),
    ruleSets: await readAll<RuleSet>(access, 'routingRuleSets', 'id name latestVersion'),
    valueSets: await readAll<ValueSet>(access, 'routingValueSets', 'id name kind values'),
  };
}

type Page<Node> = {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
};

/** Reads all pages of a list. */
export async function readAll<Node>(access: Access, list: string, fields: string): Promise<readonly Node[]> {
  const query = `query ($after: String) { page: ${list}(first: 100, after: $after) {
    nodes { ${fields} } pageInfo { endCursor hasNextPage } } }`;
  const nodes: Node[] = [];
  let after: string | null = null;
  do {
    const { page }: { readonly page: Page<Node> } = await askForData(access, { query, variables: { after } });
    nodes.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return nodes;
}

const VERSION = `{ id number note ruleSet { id name } rules
  valueSets { values valueSet { id name kind values } } }`;

/** Reads a version of a rule set. Null for an unknown number. */
export async function readVersion(
  access: Access,
  { id, latestVersion }: RuleSet,
  number: number,
): Promise<Version | null> {
  if (number < 1 || number > latestVersion) return null;
  const query = `query ($id: ID!, $after: String) { page: routingRuleSetVersions(ruleSetId: $id, first: 100, after: $after) {
    nodes { id number } pageInfo { endCursor hasNextPage } } }`;
  let after: string | null = null;
  do {
    const { page }: { readonly page: Page<Pick<Version, 'id' | 'number'>> } = await askForData(access, {
      ...{ query, variables: { id, after } },
    });
    const found = page.nodes.find((version) => version.number === number);
    if (found) return await readVersionById(access, found.id);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return null;
}

async function readVersionById(access: Access, id: string): Promise<Version | null> {
  const query = `query ($id: ID!) { version: routingRuleSetVersion(id: $id) ${VERSION} }`;
  const { version } = await askForData<{ readonly version: Version | null }>(access, {
    ...{ query, variables: { id } },
  });
  return version;
}

/** The activation that decides now. */
export type Active = { readonly activeFrom: string; readonly version: Version | null };

/** Reads the activation that decides now. Null before the first one. */
export async function readActive(access: Access): Promise<Active | null> {
  const query = `{ active: activeRouting { activeFrom version ${VERSION} } }`;
  return (await askForData<{ readonly active: Active | null }>(access, { query })).active;
}

/** Finds the one record with an id or a name. Null for none. Throws a RefusedError when several have the name. */
export function findNamed<Record extends Named>(
  kind: string,
  records: readonly Record[],
  given: string,
): Record | null {
  const byId = records.find(({ id }) => id === given.toLowerCase());
  if (byId) return byId;
  const [found = null, ...others] = records.filter(({ name }) => name === given);
  if (others.length > 0)
    throw new RefusedError(`Several ${kind}s have the name "${given}". Name one by its id.`);
  return found;
}
