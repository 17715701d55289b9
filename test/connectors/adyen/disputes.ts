import type { Amount, Dispute, DisputeStage, Payment } from './model.ts';
import { book, owe, type State } from './state.ts';

/** One stage of a dispute. */
export type DisputeEvent = {
  readonly stage: DisputeStage;
  /** Minor units of the payment's currency. By default everything that was captured. */
  readonly value?: number;
  /** The scheme's code, such as `10.4`. */
  readonly reasonCode?: string;
  readonly respondBy?: Date;
  /** The dispute's psp reference, for the later stages of a dispute. By default the payment's last dispute. */
  readonly pspReference?: string;
};

/** Reports a stage of a dispute, and moves the money of the stage. Returns the dispute's psp reference. */
export function dispute(state: State, payment: Payment, event: DisputeEvent): string {
  const { stage, reasonCode = '10.4', respondBy } = event;
  const disputed = findOrOpen(state, payment, event);
  disputed.stages = [...disputed.stages, stage];
  disputed.respondBy = respondBy ?? disputed.respondBy;
  const { pspReference, amount } = disputed;
  const direction = MOVES[stage];
  if (direction) {
    payment.chargedBack += direction.sign * amount.value;
    book(state, { type: direction.type, payment, modification: { pspReference, reference: '' }, amount });
  }
  const deadline = respondBy?.toISOString().replace('.000Z', 'Z');
  owe(state, payment, {
    eventCode: stage,
    amount,
    pspReference,
    originalReference: payment.pspReference,
    reason: 'Other Fraud-Card Absent Environment',
    additionalData: {
      chargebackReasonCode: reasonCode,
      chargebackSchemeCode: payment.method,
      disputeStatus: STATUSES[stage] ?? 'Pending',
      modificationMerchantReferences: payment.modifications.map(({ reference }) => reference).join(','),
      ...(deadline === undefined ? {} : { defensePeriodEndsAt: deadline, defendable: 'true' }),
    },
  });
  return pspReference;
}

function findOrOpen(state: State, payment: Payment, { pspReference, value }: DisputeEvent): Dispute {
  const known = payment.disputes.findLast(
    (each) => pspReference === undefined || each.pspReference === pspReference,
  );
  if (known) return known;
  const amount: Amount = { ...payment.amount, value: value ?? payment.captured };
  const opened: Dispute = {
    ...{ pspReference: state.settings.newId(), amount, stages: [] },
    ...{ respondBy: null, documents: [], response: null },
  };
  payment.disputes.push(opened);
  return opened;
}

/** The stages that move money. */
const MOVES: Readonly<
  Partial<
    Record<
      DisputeStage,
      { readonly sign: 1 | -1; readonly type: 'Chargeback' | 'ChargebackReversed' | 'SecondChargeback' }
    >
  >
> = {
  CHARGEBACK: { sign: 1, type: 'Chargeback' },
  CHARGEBACK_REVERSED: { sign: -1, type: 'ChargebackReversed' },
  SECOND_CHARGEBACK: { sign: 1, type: 'SecondChargeback' },
};

const STATUSES: Readonly<Partial<Record<DisputeStage, string>>> = {
  REQUEST_FOR_INFORMATION: 'Undefended',
  NOTIFICATION_OF_CHARGEBACK: 'Undefended',
  CHARGEBACK: 'Undefended',
  CHARGEBACK_REVERSED: 'Pending',
  SECOND_CHARGEBACK: 'Lost',
  PREARBITRATION_WON: 'Won',
  PREARBITRATION_LOST: 'Lost',
  DISPUTE_DEFENSE_PERIOD_ENDED: 'Lost',
};
