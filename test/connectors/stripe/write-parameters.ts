import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { PARAMETERS_FILE, type Parameters, type Shape } from './parameters.ts';

// Writes the parameters that Stripe documents, read from the types of its SDK (MIT):
//
//   node test/connectors/stripe/write-parameters.ts && npx oxfmt test/connectors/stripe/parameters.json
//
// A new version of the SDK needs a new file. TypeScript has no integers, but every number of these calls is one.

/** The calls of the double, each with the file and the type of its parameters. */
const CALLS: Readonly<Record<string, readonly [file: string, type: string]>> = {
  'GET /v1/balance_transactions': ['BalanceTransactions', 'BalanceTransactionListParams'],
  'GET /v1/charges': ['Charges', 'ChargeListParams'],
  'GET /v1/customers': ['Customers', 'CustomerListParams'],
  'POST /v1/customers': ['Customers', 'CustomerCreateParams'],
  'GET /v1/disputes': ['Disputes', 'DisputeListParams'],
  'POST /v1/disputes/{id}': ['Disputes', 'DisputeUpdateParams'],
  'POST /v1/disputes/{id}/close': ['Disputes', 'DisputeCloseParams'],
  'GET /v1/events': ['Events', 'EventListParams'],
  'GET /v1/payment_intents': ['PaymentIntents', 'PaymentIntentListParams'],
  'POST /v1/payment_intents': ['PaymentIntents', 'PaymentIntentCreateParams'],
  'GET /v1/payment_intents/search': ['PaymentIntents', 'PaymentIntentSearchParams'],
  'GET /v1/payment_intents/{id}': ['PaymentIntents', 'PaymentIntentRetrieveParams'],
  'POST /v1/payment_intents/{id}': ['PaymentIntents', 'PaymentIntentUpdateParams'],
  'POST /v1/payment_intents/{id}/cancel': ['PaymentIntents', 'PaymentIntentCancelParams'],
  'POST /v1/payment_intents/{id}/capture': ['PaymentIntents', 'PaymentIntentCaptureParams'],
  'POST /v1/payment_intents/{id}/confirm': ['PaymentIntents', 'PaymentIntentConfirmParams'],
  'POST /v1/payment_intents/{id}/increment_authorization': [
    'PaymentIntents',
    'PaymentIntentIncrementAuthorizationParams',
  ],
  'GET /v1/payment_methods': ['PaymentMethods', 'PaymentMethodListParams'],
  'POST /v1/payment_methods': ['PaymentMethods', 'PaymentMethodCreateParams'],
  'POST /v1/payment_methods/{id}/attach': ['PaymentMethods', 'PaymentMethodAttachParams'],
  'POST /v1/payment_methods/{id}/detach': ['PaymentMethods', 'PaymentMethodDetachParams'],
  'GET /v1/payouts': ['Payouts', 'PayoutListParams'],
  'GET /v1/refunds': ['Refunds', 'RefundListParams'],
  'POST /v1/refunds': ['Refunds', 'RefundCreateParams'],
  'POST /v1/refunds/{id}/cancel': ['Refunds', 'RefundCancelParams'],
  'GET /v1/setup_intents': ['SetupIntents', 'SetupIntentListParams'],
  'POST /v1/setup_intents': ['SetupIntents', 'SetupIntentCreateParams'],
  'POST /v1/setup_intents/{id}/cancel': ['SetupIntents', 'SetupIntentCancelParams'],
  'POST /v1/setup_intents/{id}/confirm': ['SetupIntents', 'SetupIntentConfirmParams'],
};

const resources = join(dirname(createRequire(import.meta.url).resolve('stripe')), '..', 'esm', 'resources');
const paths = [...new Set(Object.values(CALLS).map(([file]) => join(resources, `${file}.d.ts`)))];
const program = ts.createProgram(paths, { strict: true, skipLibCheck: true, target: ts.ScriptTarget.ES2024 });
const checker = program.getTypeChecker();

function typeOf(file: string, name: string): ts.Type {
  const source = program.getSourceFile(join(resources, `${file}.d.ts`));
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find((each) => each.name === name);
  if (!symbol) throw new Error(`The SDK has no ${name} in ${file}.`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

function shapeOf(type: ts.Type): Shape {
  if (type.isUnion()) return shapeOfUnion(type.types);
  if (type.flags & ts.TypeFlags.StringLike) return 'string';
  if (type.flags & ts.TypeFlags.NumberLike) return 'integer';
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
  // The SDK's own class of decimals is text on the wire.
  if (type.symbol.name === 'Decimal') return 'string';
  if (checker.isArrayType(type)) {
    const item = type.getNumberIndexType();
    if (!item) throw new Error('An array has no type of its items.');
    return { list: shapeOf(item) };
  }
  const index = type.getStringIndexType();
  if (index) return { map: shapeOf(index) };
  return shapeOfObject(type);
}

function shapeOfObject(type: ts.Type): Shape {
  const required: string[] = [];
  const object: Record<string, Shape> = {};
  for (const property of type.getProperties()) {
    if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    object[property.name] = shapeOf(checker.getNonNullableType(checker.getTypeOfSymbol(property)));
  }
  return required.length === 0 ? { object } : { object, required };
}

/** Returns the shape of a union without the branch of unknown words, with which the SDK keeps its enums open. */
function shapeOfUnion(types: readonly ts.Type[]): Shape {
  const words = types.flatMap((each) => (each.isStringLiteral() && each.value !== '' ? [each.value] : []));
  // The SDK sends null as an empty text.
  const isEmptyable = types.some(
    (each) => (each.isStringLiteral() && each.value === '') || each.flags & ts.TypeFlags.Null,
  );
  const others = types.filter(
    (each) =>
      !each.isStringLiteral() &&
      !(each.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.BooleanLiteral)) &&
      !(words.length > 0 && isOpenWord(each)),
  );
  const either: Shape[] = [
    ...(isEmptyable ? ['empty' as const] : []),
    ...(words.length > 0 ? [{ enum: words }] : []),
    ...(types.some((each) => each.flags & ts.TypeFlags.BooleanLiteral) ? ['boolean' as const] : []),
    ...others.map(shapeOf),
  ];
  const [only] = either;
  return either.length === 1 && only ? only : { either };
}

const isOpenWord = (type: ts.Type): boolean => type.isIntersection() || type.flags === ts.TypeFlags.String;

/** The size from which a repeated shape is written once. */
const NAMED_FROM = 60;

/** Returns the calls with every repeated large shape replaced by its name. */
function withNames(calls: Readonly<Record<string, Shape>>): Parameters {
  const counts = new Map<string, number>();
  const count = (shape: Shape): void => {
    const text = JSON.stringify(shape);
    const times = (counts.get(text) ?? 0) + 1;
    counts.set(text, times);
    if (times === 1) childrenOf(shape).forEach(count);
  };
  Object.values(calls).forEach(count);
  const named = new Map<string, string>();
  const shapes: Record<string, Shape> = {};
  const replace = (shape: Shape): Shape => {
    const text = JSON.stringify(shape);
    const isNamed = text.length >= NAMED_FROM && (counts.get(text) ?? 0) > 1;
    const known = named.get(text);
    if (isNamed && known) return { ref: known };
    if (!isNamed) return mapChildren(shape, replace);
    const name = `s${named.size + 1}`;
    named.set(text, name);
    shapes[name] = mapChildren(shape, replace);
    return { ref: name };
  };
  const replaced = Object.fromEntries(Object.entries(calls).map(([call, shape]) => [call, replace(shape)]));
  return { calls: replaced, shapes };
}

function childrenOf(shape: Shape): readonly Shape[] {
  if (typeof shape === 'string' || 'enum' in shape || 'ref' in shape) return [];
  if ('object' in shape) return Object.values(shape.object);
  if ('either' in shape) return shape.either;
  return ['list' in shape ? shape.list : shape.map];
}

function mapChildren(shape: Shape, map: (shape: Shape) => Shape): Shape {
  if (typeof shape === 'string' || 'enum' in shape || 'ref' in shape) return shape;
  if ('list' in shape) return { list: map(shape.list) };
  if ('map' in shape) return { map: map(shape.map) };
  if ('either' in shape) return { either: shape.either.map(map) };
  return {
    ...shape,
    object: Object.fromEntries(Object.entries(shape.object).map(([name, each]) => [name, map(each)])),
  };
}

const calls = Object.fromEntries(
  Object.entries(CALLS).map(([call, [file, type]]) => [call, shapeOf(typeOf(file, type))]),
);
writeFileSync(PARAMETERS_FILE, JSON.stringify(withNames(calls)));
