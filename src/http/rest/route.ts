import type { App, Viewer } from '../../app.ts';

/** JSON as a request or an answer holds it. */
export type Json = Readonly<Record<string, unknown>>;

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Json;

/**
 * A path of the REST API. Everything else follows from the field of the schema that the path runs:
 *
 * - the scope
 * - the query parameters and the body
 * - the checks of the input
 * - the description
 */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path with its parameters, for example `/payment-links/{payment_link_id}`. */
  readonly path: string;
  /** The group in the description, for example `Payment links`. */
  readonly tag: string;
  readonly summary: string;
  /** The field that starts the operation, for example `Mutation.createPaymentLink`. */
  readonly field: `${'Query' | 'Mutation'}.${string}`;
  /** The status of success. By default 201 for a POST, 204 without an answer, and 200 otherwise. */
  readonly status?: 200 | 201 | 204;
  /** The argument for each parameter of the path. */
  readonly params?: Readonly<Record<string, string>>;
  /** Values of arguments that the path itself decides. A request cannot give them. */
  readonly fixed?: Json;
  readonly body?: Body;
  /** Names of query parameters that differ from the schema, by their argument or their member of a filter. */
  readonly names?: Readonly<Record<string, string>>;
  /** Finds the values of arguments that the path does not hold. Null if the record of the path is unknown. */
  readonly locate?: Locate;
  readonly answer: Answer;
  /** Another answer for a request with the header `Prefer: resource=<resource>`, as RFC 7240 has it. */
  readonly preferred?: Preferred;
};

/** An answer that a request can prefer. */
export type Preferred = { readonly resource: string; readonly answer: Answer };

/** Returns variables from the parameters of a path. Reads only records of the viewer's merchant account. */
export type Locate = (
  app: App,
  viewer: Viewer,
  params: Readonly<Record<string, string>>,
) => Promise<Json | null>;

/** The body of a request. */
export type Body = {
  /** The argument for the whole body. Without one, the body has only the members of `beside`. */
  readonly argument?: string;
  /** Arguments that are members of the body, beside those of `argument`. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly form?: BodyForm;
  readonly example?: Json;
};

/** A body whose shape is not that of its argument. The names are those of the paths on both sides. */
export type BodyForm = {
  /** Returns the body in the shape of the argument. The shape is checked afterwards, so any JSON may come in. */
  readonly toArgument: (body: Json) => Json;
  /** Returns the place in the body of a place in the argument. */
  readonly toBody: (path: readonly string[], body: Json) => readonly string[];
  /** Returns the schema of the body. */
  readonly schema: (argument: JsonSchema, parts: SchemaParts) => JsonSchema;
};

/** The schemas of input types, for forms that are made of them. */
export type SchemaParts = {
  /** The members of an input type, by their REST names. */
  readonly members: (inputType: string) => {
    readonly properties: Json;
    readonly required: readonly string[];
  };
};

/** The part of the result that a path answers. */
export type Answer =
  | { readonly kind: 'none' }
  /** One record. `at`: the fields on the way from the operation's field to the record. */
  | {
      readonly kind: 'record';
      readonly at?: readonly string[];
      readonly record: RecordForm;
      /** Members from the payload beside the record, by the selected field in GraphQL. */
      readonly beside?: Readonly<Record<string, string>>;
    }
  /** One record of a list, which the path names by a parameter. */
  | {
      readonly kind: 'pick';
      readonly at: readonly string[];
      readonly record: RecordForm;
      readonly by: string;
    }
  /** All records of a short list, as `items`. */
  | { readonly kind: 'list'; readonly at?: readonly string[]; readonly record: RecordForm }
  /** A page of a connection, as `items` with cursors. */
  | { readonly kind: 'page'; readonly at?: readonly string[]; readonly record: RecordForm };

/** The form of a record in answers. */
export type RecordForm = {
  /** The name of the schema in the description. */
  readonly name: string;
  /** The type in the GraphQL schema. */
  readonly on: string;
  /** The value of the member `type`. Without one, the record has none of its own. */
  readonly type?: string;
  /** The selected fields, in GraphQL. Their names become those of the paths. */
  readonly fields: string;
  /** The input types of fields of JSON that are a copy of input, by the name of the field. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Members made of selected fields. */
  readonly computed?: Readonly<Record<string, Computed>>;
  /** Selected members that only `computed` reads. */
  readonly hidden?: readonly string[];
};

/** A member that is made of others. `from` gets the record with the names and words of the paths. */
export type Computed = {
  readonly schema: JsonSchema;
  readonly from: (record: Json) => unknown;
  /** True for a member that is absent if its value is undefined. */
  readonly optional?: boolean;
};

/** The arguments of a list that `limit` and `cursor` stand for. */
export const PAGING: readonly string[] = ['first', 'after', 'last', 'before'];

/** The status of a route's success. */
export const statusOf = ({ status, method, answer }: Route): number =>
  status ?? (answer.kind === 'none' ? 204 : method === 'POST' ? 201 : 200);
