import {
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLResolveInfo,
} from 'graphql';
import { holdsLoneCardNumber } from '../../kernel/account-numbers/lone-card-number.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { allowsCardLikeIdentifiers } from '../../modules/accounts/index.ts';
import type { GraphContext } from '../context.ts';
import { invalidArguments } from '../errors.ts';
import { misplacedCardNumbers, type Misplaced } from './card-number-places.ts';

type Resolve = (source: unknown, args: unknown, context: GraphContext, info: GraphQLResolveInfo) => unknown;

/**
 * Puts a check in front of a resolver that starts an operation. A text with a card number is refused before anything is
 * stored. A mutation answers the refusal in `userErrors`, and a query throws it.
 */
export const refusingCardNumbers =
  (resolve: Resolve): Resolve =>
  (source, args, context, info) => {
    const misplaced = misplacedIn(args as Readonly<Record<string, unknown>>, context, info);
    if (misplaced.length === 0) return resolve(source, args, context, info);
    return refusalsOf(misplaced, context).then((refusals) =>
      refusals.length === 0 ? resolve(source, args, context, info) : answerRefusals(refusals, info),
    );
  };

function misplacedIn(
  args: Readonly<Record<string, unknown>>,
  { keyHeader }: GraphContext,
  { parentType, fieldName }: GraphQLResolveInfo,
): readonly Misplaced[] {
  const inputs = parentType.getFields()[fieldName]?.args ?? [];
  const takesHeader = keyHeader != null && args[KEY] == null && inputs.some(({ name }) => name === KEY);
  const inHeader = takesHeader && holdsLoneCardNumber(keyHeader) ? [{ path: [KEY], isIdentifier: true }] : [];
  return [...misplacedCardNumbers(inputs, args), ...inHeader];
}

/** The argument for the key of a request. The header `Idempotency-Key` stands for the argument. */
const KEY = 'idempotencyKey';

async function refusalsOf(
  misplaced: readonly Misplaced[],
  { app, viewer }: GraphContext,
): Promise<readonly InvalidInput[]> {
  const lifted =
    misplaced.some(({ isIdentifier }) => isIdentifier) && (await allowsCardLikeIdentifiers(app, viewer));
  return misplaced
    .filter(({ isIdentifier }) => !(isIdentifier && lifted))
    .map(({ path, isIdentifier }) => invalidInput(path, isIdentifier ? IN_IDENTIFIER : IN_TEXT));
}

const IN_TEXT = 'Must not contain a card number.';
const IN_IDENTIFIER = `${IN_TEXT} A merchant account with identifiers that look like card numbers allows them with allowsCardLikeIdentifiers.`;

/** Answers the payload of a refused mutation. Throws for a query, whose type has no place for a refusal. */
function answerRefusals(refusals: readonly InvalidInput[], { returnType }: GraphQLResolveInfo): unknown {
  const payload = getNamedType(returnType);
  if (!isObjectType(payload) || !('userErrors' in payload.getFields())) throw invalidArguments(refusals);
  const absent = Object.values(payload.getFields()).map(({ name, type }) => [name, absentOf(type)]);
  const userErrors = refusals.map(({ kind, path, message }) => ({
    ...{ __typename: kind, code: 'invalid_input', path, message },
  }));
  return { ...Object.fromEntries(absent), userErrors };
}

/** The value of a field that a refused mutation leaves out: null, an empty list or false. */
function absentOf(type: Parameters<typeof getNullableType>[0]): unknown {
  if (!isNonNullType(type)) return null;
  return isListType(getNullableType(type)) ? [] : false;
}
