import { meaningsByWord, type DeclineCode, type Outcome } from '../door.ts';
import type { BraintreeError } from './answers.ts';

/** The meaning of a refused request, by Braintree's code of the error. Some codes name one fault in several fields. */
const BY_CODE = meaningsByWord<DeclineCode>({
  invalid_amount: '81501 81502 81503 81528 81531 91522 92202',
  invalid_operation: '91505 91508',
  invalid_payment_method: '81703 81706 81707 81709 81710 81711 81712 81713 81715 81716 81717 91564 91567',
  invalid_service_configuration: '91513 91515 91516',
  invalid_billing_address: '81813 91803 91814',
  refund_already_satisfied: '91512 91521',
  unexpected_state: '91504 91506 91507',
  unknown_payment_method: '91518 91565',
  unsupported_payment_method: '81724 91511 91517',
});

/** The name was used for an earlier payment, perhaps by an earlier request of the same key. */
const USED = '91564';

/** Returns the outcome of a refused request. */
export const refusalOf = (error: BraintreeError, reference: string | null = null): Outcome => ({
  ...{ kind: 'failed', reference, errorCode: meaningOf(error) },
  rawResponseCode: error.extensions?.legacyCode ?? error.extensions?.errorClass ?? null,
  rawResponseDescription: error.message ?? null,
});

function meaningOf({ extensions }: BraintreeError): DeclineCode {
  const code = BY_CODE.get(extensions?.legacyCode ?? '');
  if (code) return code;
  switch (extensions?.errorClass) {
    case 'NOT_FOUND':
      return 'unknown_service_resource';
    case 'NOT_IMPLEMENTED':
      return 'unsupported_transaction';
    default:
      return 'invalid_service_request';
  }
}

/** Returns Braintree's word for a refusal. */
export const wordOf = ({ extensions }: BraintreeError): string =>
  extensions?.legacyCode ?? extensions?.errorClass ?? 'refused';

/** True if Braintree does not have the object. */
export const isMissing = ({ extensions }: BraintreeError): boolean => extensions?.errorClass === 'NOT_FOUND';

/** True if the name of the payment method was used before. */
export const isUsed = ({ extensions }: BraintreeError): boolean => extensions?.legacyCode === USED;
