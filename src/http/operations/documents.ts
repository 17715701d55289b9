import {
  getOperationAST,
  GraphQLError,
  parse,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { checkLimits, parseOptions, validationOptions } from '../../graph/limits/check-limits.ts';

/** A valid document, or the errors of an invalid one. The errors have the codes of Apollo over HTTP. */
export type CheckedDocument =
  | { readonly ok: true; readonly document: DocumentNode }
  | { readonly ok: false; readonly errors: readonly GraphQLError[] };

/** An operation as a caller sends it. */
export type GivenOperation = {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
};

/** Checks operations as Apollo and its plugins do over HTTP, and remembers the documents that are valid. */
export function createDocuments(schema: GraphQLSchema): (given: GivenOperation) => CheckedDocument {
  const known = new LRUCache<string, DocumentNode>({ max: 200 });
  return ({ query, operationName, variables }) => {
    const checked = remembered(known, query) ?? parseAndValidate(schema, query);
    if (!checked.ok) return checked;
    const { document } = checked;
    known.set(query, document);
    const operation = getOperationAST(document, operationName);
    if (!operation) return refuse('OPERATION_RESOLUTION_FAILURE', [new GraphQLError('No such operation.')]);
    const beyond = checkLimits({ schema, document, operation, variables });
    return beyond ? refuse('BAD_USER_INPUT', [beyond]) : checked;
  };
}

function remembered(known: LRUCache<string, DocumentNode>, query: string): CheckedDocument | null {
  const document = known.get(query);
  return document ? { ok: true, document } : null;
}

function parseAndValidate(schema: GraphQLSchema, query: string): CheckedDocument {
  let document: DocumentNode;
  try {
    document = parse(query, parseOptions);
  } catch (error) {
    if (error instanceof GraphQLError) return refuse('GRAPHQL_PARSE_FAILED', [error]);
    throw error;
  }
  const errors = validate(schema, document, undefined, validationOptions);
  return errors.length > 0 ? refuse('GRAPHQL_VALIDATION_FAILED', errors) : { ok: true, document };
}

/** Own limits set a code, and the library's rules set none. */
function refuse(code: string, errors: readonly GraphQLError[]): CheckedDocument {
  for (const { extensions } of errors) extensions['code'] ??= code;
  return { ok: false, errors };
}
