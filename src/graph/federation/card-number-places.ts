import {
  getNamedType,
  getNullableType,
  GraphQLID,
  isInputObjectType,
  isListType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import { holdsCardNumber, isUsualCardNumber } from '../../kernel/account-numbers/card-number.ts';
import { holdsCardNumberInData, holdsLoneCardNumber } from '../../kernel/account-numbers/lone-card-number.ts';

/** A place that may hold no card number, and holds one. */
export type Misplaced = {
  readonly path: readonly string[];
  /**
   * True for a name of a record. Only a card number that stands alone is refused there. A merchant account may allow
   * names that look like card numbers.
   */
  readonly isIdentifier: boolean;
};

type Input = GraphQLArgument | GraphQLInputField;
type Values = Readonly<Record<string, unknown>>;

/**
 * Lists the texts of a field's arguments that hold a card number. Only the places for numbers and secrets are left out,
 * so that a new input is covered at once. The path into free JSON ends at its field, because a name may be anything.
 */
export const misplacedCardNumbers = (inputs: readonly Input[], given: Values): readonly Misplaced[] =>
  placesIn(null, inputs, given, []);

function placesIn(
  owner: string | null,
  inputs: readonly Input[],
  given: Values,
  above: readonly string[],
): readonly Misplaced[] {
  return inputs.flatMap(({ name, type }) => {
    // A filter has many fields, and few of them are given.
    if (given[name] == null) return [];
    const place = owner === null ? name : `${owner}.${name}`;
    if (FOR_NUMBERS.has(place)) return [];
    const isIdentifier =
      IDENTIFIERS.has(name) || IDENTIFIERS.has(place) || getNamedType(type).name === GraphQLID.name;
    return placesOf(type, given[name], { path: [...above, name], isIdentifier });
  });
}

function placesOf(type: GraphQLInputType, value: unknown, at: Misplaced): readonly Misplaced[] {
  if (value == null) return [];
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    // A single value may stand for a list of one.
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((each, index) =>
      placesOf(nullable.ofType, each, { ...at, path: [...at.path, String(index)] }),
    );
  }
  if (isInputObjectType(nullable))
    return placesIn(nullable.name, Object.values(nullable.getFields()), value as Values, at.path);
  if (!isScalarType(nullable)) return [];
  if (typeof value !== 'string') return dataHoldsOne(value) ? [at] : [];
  return (at.isIdentifier ? holdsLoneCardNumber(value) : holdsCardNumber(value)) ? [at] : [];
}

/** Returns true if free JSON holds a card number in a name or a value at any depth. */
function dataHoldsOne(value: unknown): boolean {
  if (typeof value === 'string') return holdsCardNumberInData(value);
  if (typeof value === 'number') return Number.isInteger(value) && isUsualCardNumber(String(Math.abs(value)));
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  if (Array.isArray(value)) return value.some(dataHoldsOne);
  return Object.entries(value).some(([name, inner]) => holdsCardNumberInData(name) || dataHoldsOne(inner));
}

/**
 * Places for card numbers, gift card numbers, bank account numbers and secrets. The vault seals the values, or they are
 * not stored. The definition of a payment service says which of its fields are secret, and the others are checked with
 * it.
 */
const FOR_NUMBERS: ReadonlySet<string> = new Set([
  'BankAccountInput.accountNumber',
  'BasicAuthenticationInput.password',
  'CardInput.number',
  'ExplainThreeDSScenarioInput.cardNumber',
  'FieldInput.value',
  'GiftCardReferenceInput.number',
  'GiftCardReferenceInput.pin',
  'InstantBankMandateInput.mandate',
  'NetworkTokenInput.token',
  'NetworkTokenPaymentInput.cryptogram',
  'NetworkTokenPaymentInput.number',
  'ProviderTokenInput.token',
  'StoreGiftCardInput.number',
  'StoreGiftCardInput.pin',
  'StoredCardInput.number',
  'StoredPaymentMethodInput.cryptogram',
  'ThreeDSConditionsInput.cardNumber',
  'TransactionGiftCardInput.number',
  'TransactionGiftCardInput.pin',
  'WalletTokenInput.token',
  'WebhookHeaderInput.value',
]);

/**
 * Names that merchants, shops and providers give to their own records. The searches for such names belong to them, and
 * so does each input of the type `ID`.
 */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  'accountNumber',
  'actorSubject',
  'antiFraudFingerprint',
  'buyerExternalIdentifier',
  'commodityCode',
  'customerReferenceNumber',
  'directoryTransactionId',
  'externalIdentifier',
  'idempotencyKey',
  'merchantAccountIds',
  'merchantAcquirerId',
  'merchantTaxId',
  'paymentServiceDisputeId',
  'paymentServicePayoutId',
  'paymentServiceReference',
  'paymentServiceSettlementId',
  'paymentServiceTransactionId',
  'purchaseOrderNumber',
  'reconciliationId',
  'schemeTransactionId',
  'search',
  'sku',
  'supplierOrderNumber',
  'targetId',
  'transactionLinkId',
  'upc',
  'BankMandateInput.reference',
  'CreateMerchantAccountInput.id',
  'ShareInput.account',
  'SplitInput.account',
  'SplitInput.reference',
  'TaxIdInput.value',
]);
