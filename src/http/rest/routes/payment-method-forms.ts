import type { JsonSchema, BodyForm, Json, SchemaParts } from '../route.ts';

/** A method of payment, as the member `method` of a body names it. */
export type Variant = {
  /** The member of the graph's input. */
  readonly member: string;
  readonly input: string;
  /** Members that the body spells differently: the name in the body, then the name in the input. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Members of the body that belong beside the method. */
  readonly lifted?: readonly string[];
  /** True if the input has a member `method` of its own. */
  readonly keepsMethod?: boolean;
  /** True for a wallet: it gives its token as an object, and the input takes the text. */
  readonly takesObject?: boolean;
};

/** The forms of a method by the value of `method`. Every other value is that of the form `others`. */
export type Variants = { readonly named: Readonly<Record<string, Variant>>; readonly others: Variant };

/** Returns the form for a value of `method`. */
export const variantOf = ({ named, others }: Variants, method: unknown): Variant =>
  (typeof method === 'string' && Object.hasOwn(named, method) ? named[method] : undefined) ?? others;

/**
 * Returns a body's method in the shape of the input, and the members that belong beside the method. A member that contradicts the
 * one beside the method stays inside, where it is refused.
 */
export function splitMethod(
  variants: Variants,
  given: Json,
  around: Json = {},
): { readonly inside: Json; readonly beside: Json } {
  const { method, ...members } = given;
  const variant = variantOf(variants, method);
  const { renamed = {}, lifted = [], keepsMethod = false, takesObject = false } = variant;
  const inside: Record<string, unknown> = keepsMethod ? { method } : {};
  const beside: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (lifted.includes(name) && (around[name] ?? value) === value) beside[name] = value;
    else inside[renamed[name] ?? name] = value;
  }
  const { token } = inside;
  if (takesObject && typeof token === 'object' && token !== null) inside['token'] = JSON.stringify(token);
  return { inside: { [variant.member]: inside }, beside };
}

/** Returns the name that the body has for a member of the input. */
export const bodyName = ({ renamed = {} }: Variant, name: string): string =>
  Object.entries(renamed).find(([, inner]) => inner === name)?.[0] ?? name;

/** Returns the schema of a method: one of the forms. `beside` holds the schemas of members beside the method. */
export function methodSchema(variants: Variants, { members }: SchemaParts, beside: Json): JsonSchema {
  const others = Object.keys(variants.named);
  const one = (variant: Variant, method: JsonSchema): JsonSchema => {
    const { renamed = {}, lifted = [] } = variant;
    const { properties, required } = members(variant.input);
    const names = new Map(Object.entries(renamed).map(([shown, inner]) => [inner, shown]));
    const shown = Object.entries(properties).map(([name, schema]) => [
      names.get(name) ?? name,
      variant.takesObject && name === 'token' ? { ...(schema as Json), type: ['string', 'object'] } : schema,
    ]);
    return {
      type: 'object',
      properties: {
        ...(Object.fromEntries(shown) as Json),
        ...Object.fromEntries(lifted.map((name) => [name, beside[name] ?? {}])),
        method,
      },
      required: [
        'method',
        ...required.map((name) => names.get(name) ?? name).filter((name) => name !== 'method'),
      ],
      additionalProperties: false,
    };
  };
  return {
    oneOf: [
      ...Object.entries(variants.named).map(([method, variant]) =>
        one(variant, { type: 'string', const: method }),
      ),
      one(variants.others, {
        ...{ type: 'string', ...(others.length > 0 && { not: { enum: others } }) },
        description:
          'A method of an installed connector that the buyer approves or pays elsewhere, such as `paypal`.',
      }),
    ],
  };
}

/** The stored payment method of a body without a member for the method: the body itself is the method. */
const STORED: Variants = {
  named: {
    card: { member: 'card', input: 'StoredCardInput' },
    bank: { member: 'bank_account', input: 'BankAccountInput' },
    'network-token': {
      ...{ member: 'network_token', input: 'NetworkTokenInput' },
      renamed: { card_scheme: 'scheme', card_suffix: 'card_last_four' },
    },
  },
  others: { member: 'redirect', input: 'StoredRedirectInput', keepsMethod: true },
};

const OWNERS = ['buyer_id', 'buyer_external_identifier', 'external_identifier'] as const;

/** The body that stores a payment method. The members of the method stand beside those of its owner. */
export const storedMethod: BodyForm = {
  toArgument: (body) => {
    const members = Object.entries(body);
    const isOwner = ([name]: readonly [string, unknown]) => (OWNERS as readonly string[]).includes(name);
    const method = Object.fromEntries(members.filter((each) => !isOwner(each)));
    return {
      ...Object.fromEntries(members.filter(isOwner)),
      instrument: splitMethod(variantsFor(body), method).inside,
    };
  },
  toBody: ([first, , ...rest], body) => {
    if (first !== 'instrument') return first === undefined ? [] : [first, ...rest];
    const variant = variantOf(variantsFor(body), body['method']);
    const [name, ...below] = rest;
    return name === undefined ? [] : [bodyName(variant, name), ...below];
  },
  schema: (argument, parts) => {
    const owner = argument['properties'] as Json;
    const owners = Object.fromEntries(OWNERS.map((name) => [name, owner[name]]));
    const stored = methodSchema(STORED, parts, {}) as { readonly oneOf: readonly JsonSchema[] };
    const mandate = methodSchema({ named: {}, others: MANDATE }, parts, {}) as typeof stored;
    const withOwner = (form: JsonSchema): JsonSchema => ({
      ...form,
      properties: { ...(form['properties'] as Json), ...owners },
    });
    return { oneOf: [...stored.oneOf, ...mandate.oneOf].map(withOwner) };
  },
};

const MANDATE = {
  ...{ member: 'instant_bank_mandate', input: 'InstantBankMandateInput', keepsMethod: true },
} satisfies Variant;

/** A mandate of an instant bank payment has a method of its own, and is told by its member. */
const variantsFor = (body: Json): Variants =>
  'mandate' in body && typeof body['mandate'] === 'string' ? { named: {}, others: MANDATE } : STORED;
