import type { Notice } from '../../../connectors/notices/webhook.ts';
import { AMOUNT_MAX, type Money } from '../../../kernel/money.ts';
import type { SettlementLine } from '../../settlements/index.ts';
import type { DifferenceFinding } from '../differences/difference.ts';
import type { MadeElsewhere } from '../elsewhere/made-elsewhere.ts';
import type { Operation } from '../model/operation.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import { isSale } from '../model/transaction.ts';
import { isEarly } from '../notices/schedule.ts';
import { made, moneyOf, noticeOf, refuse, reversalOf } from './line-notice.ts';
import type { SettledPayment } from './payment.sql.ts';

/** The kinds of operations whose money an entry moves. */
export type LineKind = 'capture' | 'refund';

/**
 * The decision about an entry of a settlement that names a payment.
 *
 * - `fits`: the entry settles a booking now.
 * - `known`: its operation is booked.
 * - `waits`: an operation under way may be the one, and is decided first.
 * - `notice`: the entry is as good as a webhook of the provider.
 * - `unsure`: a person decides. `made` is null if nothing can be booked.
 */
export type LineVerdict =
  | { readonly kind: 'fits' | 'known' }
  | { readonly kind: 'waits'; readonly asks: LineKind }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | {
      readonly kind: 'unsure';
      readonly finding: DifferenceFinding;
      readonly of: LineKind;
      readonly money: Money;
      readonly made: MadeElsewhere | null;
    };

/** Decides about an entry, by the payment as it is now. Pure. */
export function decideLine(line: SettlementLine, payment: SettledPayment, now: Date): LineVerdict {
  if (line.difference === null) return { kind: 'fits' };
  const of = kindOf(line);
  const own = ownOf(line, payment, of);
  if (own?.status === 'succeeded' && line.kind !== 'reversal') return { kind: 'known' };
  if (isEarly(now, line.createdAt) && mustWait(line, payment, { of, own }))
    return { kind: 'waits', asks: of };
  if (line.kind === 'reversal') return reversed(line, { of, own });
  if (isCounted(line, payment)) return { kind: 'known' };
  const fault = refuse(line, payment, own);
  return fault === null
    ? { kind: 'notice', notice: noticeOf(line, payment, { of, own }) }
    : { kind: 'unsure', ...fault, of, money: moneyOf(line), made: fault.isBookable ? made(line, of) : null };
}

const kindOf = ({ kind, gross }: SettlementLine): LineKind =>
  kind === 'charge' || (kind === 'reversal' && gross < 0) ? 'capture' : 'refund';

/** True while an operation of the kind has no outcome. A reversal also waits for the report of its operation. */
function mustWait(
  { kind }: SettlementLine,
  payment: SettledPayment,
  { of, own }: { readonly of: LineKind; readonly own: Operation | null },
): boolean {
  if (own !== null) return own.status === 'pending';
  return (
    kind === 'reversal' ||
    payment.operations.some((each) => each.status === 'pending' && isOf(each, payment, of))
  );
}

/** A sale captures by its authorisation. */
const isOf = ({ kind }: Operation, { transaction }: SettledPayment, of: LineKind): boolean =>
  kind === of || (of === 'capture' && kind === 'authorize' && isSale(transaction));

/**
 * Returns the operation that the entry names, by our key or by the provider's id. A provider without ids of captures tells all
 * that is captured instead.
 */
function ownOf(line: SettlementLine, payment: SettledPayment, of: LineKind): Operation | null {
  const ofKind = payment.operations.filter((each) => isOf(each, payment, of));
  const byKey = ofKind.find((each) => providerKeyOf(each) === line.key);
  if (byKey || (line.kind === 'charge' && line.capturedTotal !== null)) return byKey ?? null;
  const { operationReference: reference } = line;
  if (reference === null) return null;
  // An id with a suffix is one of several captures under the id.
  const hasId = ({ providerReference: known }: Operation): boolean =>
    known === reference || known?.startsWith(`${reference}:`) === true;
  return ofKind.find(hasId) ?? null;
}

/** True if all that the provider captured is booked. */
const isCounted = ({ kind, capturedTotal }: SettlementLine, { transaction }: SettledPayment): boolean =>
  kind === 'charge' &&
  capturedTotal !== null &&
  capturedTotal <= transaction.capturedAmount + transaction.captureReversedAmount;

/** No id tells a second reversal of an operation from the first. */
function reversed(
  line: SettlementLine,
  { of, own }: { readonly of: LineKind; readonly own: Operation | null },
): LineVerdict {
  const unsure = { kind: 'unsure', of, money: moneyOf(line), made: null } as const;
  if (own === null) return { ...unsure, finding: 'unknown_operation' };
  const { amount } = unsure.money;
  if (amount < 1 || amount > AMOUNT_MAX) return { ...unsure, finding: 'unknown_amount' };
  if (own.reversedAmount > 0) return { ...unsure, finding: 'possible_repeat' };
  return { kind: 'notice', notice: reversalOf(line, { of, own }) };
}
