import type { Shape } from '../generated/schema.ts';
import type { LooseSelection } from './selection.ts';

/** The idempotency key of each mutation that takes one, by its field. */
export type Keys = Readonly<Record<string, string>>;

type Given = readonly [args: { readonly idempotencyKey?: string | null }, inner: unknown];

/** Adds a new idempotency key to each mutation that takes one and got none. */
export function keyed(
  shape: Shape,
  selection: LooseSelection,
): { readonly keys: Keys; readonly selection: LooseSelection } {
  const keys: Record<string, string> = {};
  const complete = Object.entries(selection).map(([field, value]) => {
    const takesKey = shape['Mutation']?.[field]?.[1]?.['idempotencyKey'] !== undefined;
    if (!takesKey || !value) return [field, value] as const;
    const [args, inner]: Given = Array.isArray(value) ? (value as unknown as Given) : [{}, value];
    keys[field] = args.idempotencyKey ?? crypto.randomUUID();
    return [field, [{ ...args, idempotencyKey: keys[field] }, inner]] as const;
  });
  return { keys, selection: Object.fromEntries(complete) };
}
