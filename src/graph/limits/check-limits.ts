import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { coded } from '../errors.ts';
import { LIMITS } from './limits.ts';
import { countObjects, givenValue, planOf, withDefaults, type Plan, type Variables } from './query-cost.ts';

/** A validated operation with its variables before coercion. */
export type Limited = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables?: Variables | null | undefined;
};

/**
 * Refuses an operation that asks for too much, or that moves money several times without idempotency keys. The codes are
 * QUERY_TOO_DEEP, QUERY_TOO_COMPLEX, INPUT_TOO_LARGE and IDEMPOTENCY_KEY_REQUIRED. Null means allowed. The document must be
 * valid: an unvalidated fragment may include itself.
 */
export function checkLimits({ schema, document, operation, variables }: Limited): GraphQLError | null {
  const plan = planOf(schema, document, operation);
  const given = withDefaults(operation, variables ?? {});
  return (
    refuseText(plan) ??
    refuseObjects(plan, given) ??
    (plan.inputTooLarge ? inputTooLarge('An argument') : null) ??
    refuseVariables(operation, given) ??
    refuseMissingKeys(plan, given)
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
  given: Variables,
): GraphQLError | null {
  const large = variableDefinitions.find(({ variable }) => isTooLarge(given[variable.name.value], 0));
  return large ? inputTooLarge(`The variable "$${large.variable.name.value}"`) : null;
}

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
  'captureTransaction',
  'refundTransaction',
  'voidTransaction',
  'resolveReview',
  'cancelTransaction',
];

/** Refuses several money mutations without keys. After a partial failure, only keys allow sending the document again. */
function refuseMissingKeys({ rootFields }: Plan, variables: Variables): GraphQLError | null {
  const moving = rootFields.filter(({ field }) => MONEY_MUTATIONS.includes(field.name));
  if (moving.length < 2) return null;
  const without = moving.find(({ nodes }) => {
    const argument = nodes[0].arguments?.find(({ name }) => name.value === 'idempotencyKey');
    return !argument || givenValue(argument.value, variables) == null;
  });
  if (!without) return null;
  return coded(
    'IDEMPOTENCY_KEY_REQUIRED',
    `A document with several mutations that move money needs an idempotencyKey on each: "${without.key}" has none.`,
  );
}

/** The limits that the parser and the validator apply, for Apollo Server and graphql-js alike. */
export const parseOptions = { maxTokens: LIMITS.tokens };
export const validationOptions = { maxErrors: LIMITS.validationErrors };
