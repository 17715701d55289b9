import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { checkGiftCard, type GiftCardFault, type PaymentLink } from '../../../modules/payment-links/index.ts';
import { giftCardDigest } from '../../../modules/payment-methods/index.ts';
import { findRedemptionsOf, type Transaction } from '../../../modules/transactions/index.ts';
import type { AttemptLimit } from '../attempt-limit.ts';
import { pageCookieOf } from '../csrf-token.ts';
import { writeGiftCards, type GiftCards } from './gift-card-cookie.ts';
import type { GiftCardStep } from '../submission.ts';

/** The gift cards of a browser at one request. */
type Holder = {
  readonly app: App;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly link: PaymentLink;
  readonly giftCards: GiftCards;
};

/** The result of a step: the browser's new gift cards, or the reason for a refusal. */
export type StepResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'wrong'; readonly faults: readonly GiftCardFault[] }
  | { readonly kind: 'held'; readonly waitSeconds: number };

/**
 * Adds a gift card to a payment, or removes one. A check at the provider counts as a failure until the PIN is
 * right. Concurrent guesses of a PIN therefore never exceed the limit.
 */
export async function stepGiftCards(
  holder: Holder & { readonly limit: AttemptLimit },
  step: GiftCardStep,
): Promise<StepResult> {
  const { cards } = holder.giftCards;
  if (step.kind === 'remove') {
    await write(
      holder,
      cards.filter((_, index) => index !== step.index),
    );
    return { kind: 'done' };
  }
  const { app, limit, request, link } = holder;
  const digits = step.giftCard.number.replaceAll(' ', '');
  const attempt = {
    ...{ linkId: link.id, address: request.ip },
    giftCard: await giftCardDigest(app.vault, link.merchantAccountId, digits),
  };
  const waitSeconds = limit.wait(attempt);
  if (waitSeconds !== null) return { kind: 'held', waitSeconds };
  limit.count(attempt);
  const checked = await checkGiftCard(app, link, step.giftCard, cards);
  if (!checked.ok) {
    if (checked.refusals.every((fault) => TELLS_NOTHING.has(fault))) limit.forgive(attempt);
    return { kind: 'wrong', faults: checked.refusals };
  }
  limit.forgive(attempt);
  await write(holder, [...cards, checked.value]);
  return { kind: 'done' };
}

/** Faults that reveal nothing about a PIN: the provider was not asked, or gave no answer. */
const TELLS_NOTHING: ReadonlySet<GiftCardFault> = new Set([
  'number',
  'pin',
  'twice',
  'tooMany',
  'unavailable',
] as const);

/** Removes from a browser's gift cards those that made a payment fail. Returns null when no gift card was the cause. */
export async function withoutFailed(holder: Holder, payment: Transaction): Promise<GiftCards | null> {
  const { merchantAccountId, id, giftCardAmount } = payment;
  if (giftCardAmount === 0) return null;
  const [redemptions = []] = await findRedemptionsOf(holder.app, { merchantAccountId }, [id]);
  const failed = redemptions.filter(({ status }) => status === 'failed').map(({ lastFour }) => lastFour);
  if (failed.length === 0) return null;
  const { cards } = holder.giftCards;
  const rest = cards.filter(({ lastFour }) => !failed.includes(lastFour));
  return rest.length === cards.length ? holder.giftCards : write(holder, rest);
}

/** A browser without a page cookie has no valid form. */
function write({ app, request, reply, link }: Holder, cards: GiftCards['cards']): Promise<GiftCards> {
  return writeGiftCards(app, reply, link, { secret: pageCookieOf(request, link.id)?.secret ?? '', cards });
}
