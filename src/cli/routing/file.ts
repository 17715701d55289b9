import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { isObject, parseJson } from '../../kernel/json.ts';
import { UsageError } from '../exit-code.ts';

/** A value of JSON with members. */
export type Json = Readonly<Record<string, unknown>>;

/** A list of values in a file, which rules name. */
export type FileValueSet = {
  /** The id of a value set whose name others have, too. Otherwise the name is enough. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly kind: 'COUNTRY' | 'BIN' | 'TEXT';
  readonly values: readonly string[];
};

/** The rules of one rule set, as a merchant's repository keeps them. */
export type RoutingFile = {
  readonly $schema?: string | undefined;
  /** The name or the id of the rule set. */
  readonly ruleSet: string;
  readonly note?: string | null | undefined;
  readonly valueSets: readonly FileValueSet[];
  /** Rules in the form of `RoutingRuleInput`. Names may stand for ids. The service checks the rules. */
  readonly rules: readonly Json[];
};

const kind = z.enum(['COUNTRY', 'BIN', 'TEXT']);

const valueSet = z
  .strictObject({ name: z.string(), kind, values: z.array(z.string()) })
  .extend({ id: z.string().optional() });

/** The members of a file. The service checks their values. */
const members = z.strictObject({
  $schema: z.string().optional(),
  ruleSet: z.string(),
  note: z.string().nullish(),
  valueSets: z.array(valueSet).default([]),
  rules: z.array(z.custom<Json>(isObject, 'Must be an object.')),
});

/** Reads a file. Throws a UsageError with each mistake of its form. */
export async function readRoutingFile(path: string): Promise<RoutingFile> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} cannot be read. Check its name.`);
  });
  const parsed = members.safeParse(parseJson(text));
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map(
      (issue) => `${[path, ...issue.path].join('.')}: ${issue.message}`,
    );
    throw new UsageError(mistakes.join('\n'));
  }
  const names = parsed.data.valueSets.map(({ id, name }) => id?.toLowerCase() ?? name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new UsageError(`${path}: two value sets are called "${twice}". Name one by its own id.`);
  return parsed.data;
}

/** Writes a file, in place of a former one. */
export const writeRoutingFile = (path: string, file: RoutingFile): Promise<void> =>
  writeFile(path, `${JSON.stringify(file, null, 2)}\n`);
