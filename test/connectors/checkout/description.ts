import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

// The calls of the double by Checkout.com's API reference of 2021: names, types, words and limits, without any text.

type Described = {
  readonly request: string | null;
  readonly answers: Readonly<Record<string, string | undefined>>;
};

const text = readFileSync(join(import.meta.dirname, 'description.json'), 'utf8');
const { calls, schemas } = JSON.parse(text) as {
  readonly calls: Readonly<Record<string, Described | undefined>>;
  readonly schemas: object;
};

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
ajv.addSchema({ $id: 'checkout', schemas });

/** Lists the faults of a request. A call without a description has none. */
export const requestFaults = (call: string, body: unknown): readonly string[] =>
  faultsOf(calls[call]?.request ?? null, body);

/** Lists the faults of an answer. Errors have no description. */
export const answerFaults = (call: string, status: number, body: unknown): readonly string[] =>
  faultsOf(calls[call]?.answers[status] ?? null, body);

function faultsOf(name: string | null, body: unknown): readonly string[] {
  if (name === null) return [];
  const check = ajv.getSchema(`checkout#/schemas/${name}`);
  if (!check) throw new Error(`The description has no ${name}.`);
  if (check(body)) return [];
  return (check.errors ?? []).filter((error) => !isNewer(error)).map(sentenceOf);
}

/** True for a word that is newer than the description. Recorded balances have no id, which the description demands. */
const isNewer = ({ keyword, instancePath, params, data }: ErrorObject): boolean =>
  (instancePath === '/payment_type' && data === 'Unscheduled') ||
  (keyword === 'required' && instancePath === '/balances' && params['missingProperty'] === 'id');

const sentenceOf = ({ instancePath, message = '' }: ErrorObject): string => `${instancePath} ${message}`;
