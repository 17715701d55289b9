import { withoutNulls } from '../../../../kernel/without-nulls.ts';
import type { MerchantProfile } from '../../../../connectors/interface/merchant-profile.ts';
import type { Ids } from '../../../../platform/ids.ts';
import type { ThreeDSecure } from '../../model/three-d-secure.ts';

/** An entry about authentication in a transaction's history. */
export type Step = {
  readonly id: string;
  readonly name: string;
  readonly context: Readonly<Record<string, unknown>>;
};

/** Lists the steps of a new authentication, oldest first. */
export function stepsOf(
  ids: Pick<Ids, 'uuid'>,
  authentication: ThreeDSecure,
  merchant: MerchantProfile | null,
): readonly Step[] {
  const { data, enrollment, result } = authentication;
  if (authentication.source === 'none') return numbered(ids, [NOBODY]);
  const preparation = {
    source: authentication.source,
    is_enrolled: enrollment === 'enrolled',
    version: data.version,
    amount: authentication.amount,
    request: merchant && requestOf(merchant),
  };
  return numbered(ids, [
    ['three-d-secure-preparation-request', preparation],
    result === 'timeout' ? ERROR : ['three-d-secure-authentication-request', answerOf(authentication)],
    ...successOf(authentication),
  ]);
}

/** Lists the steps at the end of a challenge, oldest first. */
export function stepsOfResult(ids: Pick<Ids, 'uuid'>, authentication: ThreeDSecure): readonly Step[] {
  const cancelled = { is_challenge_cancelled: authentication.status === 'cancelled' };
  return numbered(ids, [
    authentication.result === 'timeout'
      ? ERROR
      : ['three-d-secure-result-request', { ...answerOf(authentication), ...cancelled }],
    ...successOf(authentication),
  ]);
}

/** Returns the merchant's part of the request, by the names of EMV 3-D Secure. */
const requestOf = (merchant: MerchantProfile) => ({
  acquirer_bin: merchant.merchantAcquirerBin,
  acquirer_merchant_id: merchant.merchantAcquirerId,
  merchant_name: merchant.merchantName,
  merchant_country_code: merchant.merchantCountryCode,
  mcc: merchant.merchantCategoryCode,
  three_ds_requestor_url: merchant.merchantUrl,
});

type Named = readonly [name: string, context: Readonly<Record<string, unknown>>];

const NOBODY: Named = [
  'three-d-secure-request-error',
  { reason: 'This installation cannot authenticate the buyer.' },
];
const ERROR: Named = ['three-d-secure-request-error', { reason: 'No answer came in time.' }];

const successOf = (authentication: ThreeDSecure): readonly Named[] =>
  authentication.status === 'complete'
    ? [['three-d-secure-success', { ...answerOf(authentication), method: authentication.method }]]
    : [];

const answerOf = ({ data }: ThreeDSecure) => ({
  version: data.version,
  eci: data.eci,
  cavv: data.cavv,
  directory_response: data.directoryResponse,
  authentication_response: data.authenticationResponse,
  directory_transaction_id: data.directoryTransactionId,
  xid: data.xid,
  cavv_algorithm: data.cavvAlgorithm,
});

/** Numbers the steps by their ids, which give the order of a history. Leaves null details out. */
const numbered = (ids: Pick<Ids, 'uuid'>, steps: readonly Named[]): readonly Step[] =>
  steps.map(([name, context]) => ({
    id: ids.uuid(),
    name,
    context: withoutNulls(context),
  }));
