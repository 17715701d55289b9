import { z } from 'zod';
import type { AntiFraudDefinition } from '../../../connectors/anti-fraud/connector.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { text } from '../../../platform/input/text.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { Field } from '../model/fields.ts';
import { ANTI_FRAUD_FALLBACKS } from './anti-fraud-service.ts';

// Limits of each value alone. Fields and version depend on the definition and are checked elsewhere, so that one answer
// lists all failures.

const fallback = z.enum(ANTI_FRAUD_FALLBACKS).nullish();
const createSchema = z.object({
  displayName: text(1, 200),
  antiFraudServiceDefinitionId: text(1, 50),
  fallback,
});
const updateSchema = z.object({ displayName: text(1, 200).nullish(), fallback });

type Switches = {
  readonly active?: boolean | null | undefined;
  readonly newerInterfaceEnabled?: boolean | null | undefined;
};

export type CreateAntiFraudServiceInput = Readonly<z.input<typeof createSchema>> &
  Switches & { readonly fields: readonly Field[] };
export type UpdateAntiFraudServiceInput = Readonly<z.input<typeof updateSchema>> &
  Switches & { readonly fields?: readonly Field[] | null | undefined };

/** Lists the values of a new service that break a limit by themselves. */
export const createFailures = (input: CreateAntiFraudServiceInput): readonly InvalidInput[] =>
  failuresOf(createSchema, input);

/** Lists the values of an update that break a limit by themselves. */
export const updateFailures = (input: UpdateAntiFraudServiceInput): readonly InvalidInput[] =>
  failuresOf(updateSchema, input);

/** Refuses a switch to a version that the definition does not have. */
export const versionFailures = (
  { newerInterfaceVersion }: AntiFraudDefinition,
  { newerInterfaceEnabled }: Switches,
): readonly InvalidInput[] =>
  newerInterfaceEnabled && newerInterfaceVersion === null
    ? [
        invalidInput(
          ['input', 'newerInterfaceEnabled'],
          'The definition has one version of the interface only.',
        ),
      ]
    : [];

function failuresOf(schema: z.ZodType, input: unknown): readonly InvalidInput[] {
  const parsed = parseInput(schema, input);
  return parsed.ok ? [] : parsed.refusals;
}
