import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { country, optional } from '../../../platform/input/values.ts';
import { numbersOf } from '../model/bin-ranges.ts';
import type { BinRange } from '../model/rule.ts';
import { VALUE_KINDS, type ValueKind } from '../model/value-set.ts';
import { list } from './list.ts';

const RANGE = /^\d{6,8}(-\d{6,8})?$/;

/** Returns the range of a text such as 400000-419999. One BIN is a range, too. */
export function rangeOf(value: string): BinRange {
  const [from = '', to = from] = value.split('-');
  return { from, to };
}

const range = z.string().refine((value) => {
  if (!RANGE.test(value)) return false;
  const [from, to] = numbersOf(rangeOf(value));
  return from <= to;
}, 'Must be a BIN of 6 to 8 digits, or a range of two such as 400000-419999.');

const VALUES = { country, bin: range, text: text(0, 500) } as const satisfies Record<ValueKind, z.ZodType>;

const name = text(1, 100);

/** The input of a new value set. The kind decides about the form of the values. */
export const createValueSetInput = z
  .object({ name, kind: z.enum(VALUE_KINDS), values: z.array(z.string()) })
  .superRefine(({ kind, values }, context) => {
    const { error } = list(VALUES[kind]).safeParse(values);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: 'custom', path: ['values', ...path], message });
  });

/** The input of an update. A value left out or null stays. */
export const updateValueSetInput = (kind: ValueKind) =>
  z.object({ name: optional(name), values: optional(list(VALUES[kind])) });
