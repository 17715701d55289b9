import { RefusedError, type Refusal } from './errors.ts';
import { partsOf, type LooseSelection } from './selection.ts';

const REFUSALS = { userErrors: { code: true, message: true, path: true } };

type Payload = { readonly userErrors?: readonly Refusal[] };

/** The selection of a payload, with or without arguments before it. */
const innerOf = (value: unknown): LooseSelection => partsOf(value)[1] as LooseSelection;

/** Selects the refusals of each mutation whose caller did not, so that none goes unseen. */
export function withRefusals(selection: LooseSelection): LooseSelection {
  const complete = Object.entries(selection).map(([field, value]) => {
    if (!value) return [field, value] as const;
    const inner = { ...REFUSALS, ...innerOf(value) };
    return [field, Array.isArray(value) ? [value[0], inner] : inner] as const;
  });
  return Object.fromEntries(complete);
}

/** Takes the added refusals out of the answer. Throws the first mutation that was refused. */
export function refuse(selection: LooseSelection, data: Readonly<Record<string, unknown>>): object {
  const answers = Object.entries(data).map(([field, payload]) => {
    if (payload === null || innerOf(selection[field])['userErrors']) return [field, payload] as const;
    const { userErrors = [], ...rest } = payload as Payload;
    return [field, rest, userErrors] as const;
  });
  const answer = Object.fromEntries(answers.map(([field, payload]) => [field, payload]));
  const refused = answers.find(([, , userErrors = []]) => userErrors.length > 0);
  if (refused) throw new RefusedError(refused[0], refused[2] ?? [], answer);
  return answer;
}
