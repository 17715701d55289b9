import type { Shape } from '../generated/schema.ts';
import { partsOf, type LooseSelection } from './selection.ts';

/** The idempotency key of each mutation that takes one, by its field. */
export type Keys = Readonly<Record<string, string>>;

/** Adds a new idempotency key to each mutation that takes one and got none. */
export function keyed(
  shape: Shape,
  selection: LooseSelection,
): { readonly keys: Keys; readonly selection: LooseSelection } {
  const keys: Record<string, string> = {};
  const complete = Object.entries(selection).map(([field, value]) => {
    const takesKey = shape['Mutation']?.[field]?.[1]?.['idempotencyKey'] !== undefined;
    if (!takesKey || !value) return [field, value] as const;
    const [args, inner] = partsOf(value);
    keys[field] = (args['idempotencyKey'] as string | null | undefined) ?? crypto.randomUUID();
    return [field, [{ ...args, idempotencyKey: keys[field] }, inner]] as const;
  });
  return { keys, selection: Object.fromEntries(complete) };
}
