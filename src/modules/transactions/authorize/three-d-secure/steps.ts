import { withoutNulls } from '../../../../kernel/without-nulls.ts';
import type { Ids } from '../../../../platform/ids.ts';
import type { ThreeDSecure } from '../../model/three-d-secure.ts';

/** An entry about authentication in a transaction's history (facts 1.9). */
export type Step = {
  readonly id: string;
  readonly name: string;
  readonly context: Readonly<Record<string, unknown>>;
};

/** Lists the steps of a new authentication, oldest first. */
export function stepsOf(ids: Pick<Ids, 'uuid'>, kept: ThreeDSecure): readonly Step[] {
  const { data, enrollment, result } = kept;
  if (kept.source === 'none') return numbered(ids, [NOBODY]);
  const preparation = {
    source: kept.source,
    is_enrolled: enrollment === 'enrolled',
    version: data.version,
    amount: kept.amount,
  };
  return numbered(ids, [
    ['three-d-secure-preparation-request', preparation],
    result === 'timeout' ? ERROR : ['three-d-secure-authentication-request', answerOf(kept)],
    ...successOf(kept),
  ]);
}

/** Lists the steps at the end of a challenge, oldest first. */
export function stepsOfResult(ids: Pick<Ids, 'uuid'>, kept: ThreeDSecure): readonly Step[] {
  const cancelled = { is_challenge_cancelled: kept.status === 'cancelled' };
  return numbered(ids, [
    kept.result === 'timeout'
      ? ERROR
      : ['three-d-secure-result-request', { ...answerOf(kept), ...cancelled }],
    ...successOf(kept),
  ]);
}

type Named = readonly [name: string, context: Readonly<Record<string, unknown>>];

const NOBODY: Named = [
  'three-d-secure-request-error',
  { reason: 'This installation cannot authenticate the buyer.' },
];
const ERROR: Named = ['three-d-secure-request-error', { reason: 'No answer came in time.' }];

const successOf = (kept: ThreeDSecure): readonly Named[] =>
  kept.status === 'complete' ? [['three-d-secure-success', { ...answerOf(kept), method: kept.method }]] : [];

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
