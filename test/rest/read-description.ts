import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi, Operation } from '../../src/http/rest/describe/openapi.ts';
import type { RestClient } from './client.ts';

/** An operation of the description, with its place. */
export type Described = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The served description of the REST paths, and the check of values against its schemas. */
export type Description = {
  readonly operations: readonly Described[];
  /** Returns the faults of a value. References in the schema are those of the description. */
  faultsOf(schema: object, value: unknown): readonly string[];
};

/** Reads the description without a token, as a tool does. */
export async function readDescription(send: RestClient): Promise<Description> {
  const { text } = await send('GET /openapi.json', undefined, { token: null });
  const api = JSON.parse(text) as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int32: true, int64: true } });
  addFormats.default(ajv);
  ajv.addSchema(api, 'api');
  return {
    operations: Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    ),
    faultsOf: (schema, value) => {
      const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object);
      check(value);
      return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
  };
}
