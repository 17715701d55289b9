import type { Notice } from '../../../connectors/notices/webhook.ts';
import type { OperationNotice } from '../notices/webhook.ts';
import type { ElsewhereKind, MadeElsewhere } from '../elsewhere/made-elsewhere.ts';

/** A notice of a success that can have been made at the provider without a request from here. */
type Elsewhere = Notice & {
  readonly outcome: Extract<Notice['outcome'], { readonly kind: 'succeeded' }>;
};

/** True for a success that has its own id at the provider, or that releases the payment. */
export const isMadeElsewhere = (notice: Notice): notice is Elsewhere => {
  const kind = KIND_OF[notice.verb];
  return (
    notice.outcome.kind === 'succeeded' && kind !== null && (kind === 'void' || notice.reference !== null)
  );
};

/** The operation that a verb makes elsewhere. A cancel of an authorised payment releases it. */
const KIND_OF: Readonly<Record<Notice['verb'], ElsewhereKind | null>> = {
  authorize: null,
  reauthorize: null,
  increase: 'increase',
  capture: 'capture',
  refund: 'refund',
  void: 'void',
  cancel: 'void',
};

/** Returns the operation that a notice reports, as it is booked. Throws for a verb that nobody makes elsewhere. */
export function madeElsewhere(notice: OperationNotice): MadeElsewhere {
  const {
    verb,
    reference,
    total = null,
    whole,
    final = null,
    captureReference = null,
    occurredAt,
    outcome,
    lostKey,
  } = notice;
  const kind = KIND_OF[verb];
  if (kind === null) throw new Error(`No ${verb} is made elsewhere`);
  return {
    ...{ kind, reference, total, final, captureReference, occurredAt, ...(whole && { whole }) },
    ...(lostKey !== undefined && { lostKey }),
    money: outcome.kind === 'succeeded' && kind !== 'void' ? outcome.money : null,
    rawResponseCode: outcome.rawResponseCode,
    rawResponseDescription: outcome.rawResponseDescription,
  };
}
