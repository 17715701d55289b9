import {
  Kind,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { coded } from '../errors.ts';
import { LIMITS } from './limits.ts';
import { countObjects, givenValue, planOf, withDefaults, type Plan, type Variables } from './query-cost.ts';
import type { Selected } from './selection.ts';

/** A validated operation with its variables before coercion. */
export type Limited = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables?: Variables | null | undefined;
  /** The header `Idempotency-Key`. Null or absent without the header. */
  readonly keyHeader?: string | null;
};

/**
 * Refuses an operation that breaks a limit. Null means allowed. The document must be valid: an unvalidated fragment may
 * include itself. The codes are:
 *
 * - QUERY_TOO_DEEP, QUERY_TOO_COMPLEX and INPUT_TOO_LARGE: it asks for too much
 * - IDEMPOTENCY_KEY_REQUIRED: it moves money several times without keys, or behind a router without a key
 * - IDEMPOTENCY_KEY_HEADER: the header `Idempotency-Key` does not fit it
 */
export function checkLimits(limited: Limited): GraphQLError | null {
  const { schema, document, operation, variables, keyHeader = null } = limited;
  const plan = planOf(schema, document, operation);
  const given = withDefaults(plan, variables ?? {});
  return (
    refuseText(plan) ??
    refuseObjects(plan, given) ??
    (plan.inputTooLarge ? inputTooLarge('An argument') : null) ??
    refuseVariables(operation, plan, given) ??
    refuseMissingKeys(plan, given, { header: keyHeader, byRouter: isSubgraph(schema) }) ??
    refuseKeyHeader(plan, given, keyHeader)
  );
}

function refuseText({ depth, aliases, directives, rootFields }: Plan): GraphQLError | null {
  if (depth > LIMITS.depth) {
    return coded('QUERY_TOO_DEEP', `Fields are nested deeper than ${LIMITS.depth}: request fewer levels.`);
  }
  return (
    tooMany(aliases, LIMITS.aliases, 'aliases') ??
    tooMany(directives, LIMITS.directives, 'directives') ??
    tooMany(rootFields.length, LIMITS.rootFields, 'fields at its root')
  );
}

const tooMany = (count: number, most: number, what: string): GraphQLError | null =>
  count > most
    ? coded('QUERY_TOO_COMPLEX', `The document has ${count} ${what}, and ${most} are allowed.`)
    : null;

function refuseObjects({ objects }: Plan, variables: Variables): GraphQLError | null {
  if (!objects)
    return coded('QUERY_TOO_COMPLEX', `The document asks for objects in more than ${LIMITS.places} places.`);
  const count = countObjects(objects, variables);
  if (count <= LIMITS.objects) return null;
  return coded(
    'QUERY_TOO_COMPLEX',
    `The answer could hold ${count} objects, and ${LIMITS.objects} are allowed: request fewer elements with first or last, or fewer lists inside lists.`,
  );
}

function refuseVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  { rootFields }: Plan,
  given: Variables,
): GraphQLError | null {
  const references = new Set(rootFields.flatMap(referencesVariable));
  for (const { variable } of variableDefinitions) {
    const name = variable.name.value;
    const value = given[name];
    if (!references.has(name)) {
      if (isTooLarge(value, 0)) return inputTooLarge(`The variable "$${name}"`);
      continue;
    }
    if (!Array.isArray(value)) continue;
    if (value.length > LIMITS.references)
      return coded(
        'INPUT_TOO_LARGE',
        `One _entities takes at most ${LIMITS.references} references, and ${value.length} were given.`,
      );
    if (value.some((reference) => isTooLarge(reference, 1))) return inputTooLarge('A reference');
  }
  return null;
}

/** The variable that holds the references of a router. */
const referencesVariable = ({ field, nodes }: Selected): readonly string[] =>
  field.name === '_entities'
    ? (nodes[0].arguments ?? []).flatMap(({ value }) =>
        value.kind === Kind.VARIABLE ? [value.name.value] : [],
      )
    : [];

const isSubgraph = (schema: GraphQLSchema): boolean =>
  schema.getQueryType()?.getFields()['_service'] !== undefined;

function isTooLarge(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= LIMITS.inputDepth) return true;
  if (Array.isArray(value) && value.length > LIMITS.inputList) return true;
  return Object.values(value).some((each) => isTooLarge(each, depth + 1));
}

const inputTooLarge = (what: string): GraphQLError =>
  coded(
    'INPUT_TOO_LARGE',
    `${what} has a list of more than ${LIMITS.inputList} elements, or is nested deeper than ${LIMITS.inputDepth}.`,
  );

/** Mutations that call a provider. */
const MONEY_MUTATIONS: readonly string[] = [
  'createTransaction',
  'increaseAuthorization',
  'reauthorizeTransaction',
  'captureTransaction',
  'refundTransaction',
  'voidTransaction',
  'resolveReview',
  'cancelTransaction',
  'submitDisputeEvidence',
  'acceptDispute',
];

/**
 * Refuses several money mutations without keys. After a partial failure, only keys allow sending the document again.
 *
 * A router may split a document of the caller, and each part then looks like a single mutation. So `byRouter` asks for the key of
 * a single one, too.
 */
function refuseMissingKeys(
  { rootFields }: Plan,
  variables: Variables,
  { header, byRouter }: { readonly header: string | null; readonly byRouter: boolean },
): GraphQLError | null {
  const moving = rootFields.filter(movesMoney);
  if (moving.length < (byRouter ? 1 : 2) || (moving.length === 1 && header !== null)) return null;
  const without = moving.find((selected) => keyArgument(selected, variables) == null);
  if (!without) return null;
  const rule = byRouter
    ? 'Behind a router, a mutation that moves money needs an idempotencyKey'
    : 'A document with several mutations that move money needs an idempotencyKey on each';
  return coded('IDEMPOTENCY_KEY_REQUIRED', `${rule}: "${without.key}" has none.`);
}

/** Refuses a header that is not the key of exactly one mutation that moves money. */
function refuseKeyHeader(
  { rootFields }: Plan,
  variables: Variables,
  header: string | null,
): GraphQLError | null {
  if (header === null) return null;
  const [moving, ...others] = rootFields.filter(movesMoney);
  if (!moving || others.length > 0)
    return coded(
      'IDEMPOTENCY_KEY_HEADER',
      'The header Idempotency-Key is for a document with exactly one mutation that moves money. Use the argument idempotencyKey.',
    );
  const given = keyArgument(moving, variables);
  if (given == null || given === header) return null;
  return coded(
    'IDEMPOTENCY_KEY_HEADER',
    'The header Idempotency-Key and the argument idempotencyKey differ. Send one of them.',
  );
}

const movesMoney = ({ field }: Selected): boolean => MONEY_MUTATIONS.includes(field.name);

function keyArgument({ nodes }: Selected, variables: Variables): unknown {
  const argument = nodes[0].arguments?.find(({ name }) => name.value === 'idempotencyKey');
  return argument && givenValue(argument.value, variables);
}

/** The limits that the parser and the validator apply, for Apollo Server and graphql-js alike. */
export const parseOptions = { maxTokens: LIMITS.tokens };
export const validationOptions = { maxErrors: LIMITS.validationErrors };
