import { known } from '../kit/account.ts';
import {
  approve,
  beginSettling,
  BY_PERSON,
  capture,
  captureChild,
  expire,
  happen,
  refund,
  refuseRepeatedRefund,
  repeatRefused,
  reverse,
  settle,
  settleAll,
  store,
} from './payments.ts';
import { owe, oweDispute, oweRefund } from './webhooks.ts';
import {
  DAY_MS,
  globalIdOf,
  type Card,
  type Dispute,
  type Method,
  type Refund,
  type Transaction,
  type World,
} from './world.ts';

type DisputeOf = { readonly minor: number; readonly reason?: string; readonly type?: string };

/** The events that a test decides, and the acts of people in the Control Panel. Each names a transaction by its id. */
export function createHands(world: World) {
  const find = (id: string): Transaction => known(world.transactions, id);
  const refunds = (): readonly Refund[] => [...world.transactions.values()].flatMap((each) => each.refunds);
  return {
    /** Settles everything that waits for its settlement. */
    settleAll: (): void => settleAll(world),
    settle: (id: string): void => settle(world, find(id)),
    beginSettling: (id: string): void => beginSettling(world, find(id)),
    expire: (id: string): void => expire(world, find(id)),
    /** Refuses every request of a root field for a transaction with a code. */
    refuse: (field: string, transactionId: string, code: string): void =>
      void world.refusals.push({ field, transactionId, code }),
    /** Settles everything before the next request of a root field works. */
    settleBeforeNext: (field: string): void =>
      void world.actsBefore.push({ field, act: () => settleAll(world) }),
    /** Lets a person capture before the next request of a root field works. */
    captureBeforeNext: (field: string, id: string, minor: number): void =>
      void world.actsBefore.push({
        field,
        act: () => void capture(world, find(id), { minor, orderId: null }, BY_PERSON),
      }),
    /** Leaves a part out of the next answer of a root field, with an error of the part. */
    failPart: (field: string, part: string, errorClass = 'SERVICE_AVAILABILITY'): void =>
      void world.failing.push({ field, part, errorClass }),
    /** Lets the next payment or refund wait for its processor. */
    waitNext: (): void => void (world.waiting += 1),
    /** Lets the processor approve a payment or refund that waits. */
    approve: (id: string): void => {
      const waiting = [...world.transactions.values(), ...refunds()].find((each) => each.id === id);
      if (!waiting) throw new Error(`The double has no payment ${id}.`);
      approve(world, waiting);
    },
    /** Leaves a transaction out of every search. */
    hideFromSearch: (id: string): void => void world.hidden.add(id),
    /** Refuses a repetition of a payment, as a check over a longer time does. */
    rejectAsDuplicate: (key: string): void => {
      const original = [...world.transactions.values()].find((each) => each.key === key);
      if (!original) throw new Error(`The double has no payment ${key}.`);
      repeatRefused(world, original);
    },
    /** The processor declines the next refund with a code. */
    declineRefund: (code: string): void => void world.nextDeclines.push(code),
    /** Names a card in the buyer's client, for one payment. */
    clientToken: (card: Card): string => {
      const id = `tokencc_bf_${world.newId()}`;
      const endsAt = new Date(world.now().getTime() + world.settings.nonceLivesMs);
      const method: Method = { id, card, isMultiUse: false, isUsed: false, endsAt };
      world.methods.set(id, method);
      return id;
    },
    storeCard: (card: Card): string => store(world, card),
    capture: (id: string, minor: number): void =>
      void capture(world, find(id), { minor, orderId: null }, BY_PERSON),
    captureChild: (id: string, minor: number): void =>
      void captureChild(world, find(id), { minor, orderId: null, isFinal: false }, BY_PERSON),
    /** Adds the refused repetition of a refund before it, as a processor refuses one. */
    refuseRepeatedRefund: (key: string): void => {
      const made = refunds().find((each) => each.key === key);
      if (!made) throw new Error(`The double has no refund ${key}.`);
      refuseRepeatedRefund(world, made);
    },
    refund: (id: string, minor: number): string =>
      refund(world, find(id), { minor, orderId: null }, BY_PERSON).id,
    void: (id: string): void => void reverse(world, find(id), BY_PERSON),
    /** Takes a settled refund back. */
    failRefund: (id: string): void => {
      const made = refunds().find((each) => each.id === id);
      if (!made) throw new Error(`The double has no refund ${id}.`);
      happen(world, made, 'SETTLEMENT_DECLINED');
      oweRefund(world, made);
    },
    /** Declines the settlement of a capture. */
    declineSettlement: (id: string): void => {
      happen(world, find(id), 'SETTLEMENT_DECLINED');
      owe(world, 'transaction_settlement_declined', find(id));
    },
    dispute: (id: string, { minor, reason = 'FRAUD', type = 'CHARGEBACK' }: DisputeOf): string => {
      const legacyId = world.newId();
      const dispute: Dispute = {
        ...{
          id: globalIdOf('dispute', legacyId),
          legacyId,
          of: find(id),
          minor,
          type,
          reason,
          reasonCode: '83',
        },
        ...{ receivedAt: world.now(), respondBy: new Date(world.now().getTime() + 7 * DAY_MS) },
        ...{ texts: [], files: [] },
        status: 'OPEN',
      };
      world.disputes.set(dispute.id, dispute);
      find(id).disputes.push(dispute);
      oweDispute(world, dispute);
      return dispute.id;
    },
    /** The evidence of a dispute, as a person sees it. */
    evidenceOf: (id: string): Pick<Dispute, 'status' | 'texts' | 'files'> => known(world.disputes, id),
    decideDispute: (id: string, status: string): void => {
      const dispute = known(world.disputes, id);
      dispute.status = status;
      oweDispute(world, dispute);
    },
  };
}
