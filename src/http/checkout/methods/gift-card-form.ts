import type { GiftCardFault } from '../../../modules/payment-links/index.ts';
import { GIFT_CARDS_MAX } from '../../../modules/payment-methods/index.ts';
import { html, type Markup } from '../../pages/html.ts';
import { maskedNumber } from './card-form.ts';
import { fieldOf } from './field.ts';
import type { Form } from '../form.ts';
import { fill, type Texts } from '../look/language.ts';
import { methodMark } from '../look/marks.ts';
import { ADD_GIFT_CARD, GIFT_CARDS_ALONE, REMOVE_GIFT_CARD } from '../submission.ts';
import { amountOf, place, say, type View } from '../look/view.ts';

/**
 * Renders the payments by gift card, the remaining amount, and the form for another card. The markup `key` is
 * part of every form.
 */
export function giftCardPart(view: View, form: Form, key: Markup): Markup {
  const { cards, left } = form.giftCards;
  const takesMore = form.methods.giftCards && left > 0 && cards.length < GIFT_CARDS_MAX;
  return html`${cards.length > 0 && payingCardList(view, form, key)} ${takesMore && addForm(view, form, key)}`;
}

/** The form with which gift cards pay all of it. */
export const giftCardsAloneForm = (view: View, key: Markup): Markup =>
  html`<form method="post">
    ${key}<input type="hidden" name="method" value="${GIFT_CARDS_ALONE}" />
    <button class="main" data-paying="${view.language.texts.paying}">
      <span>${say(view.language.texts.pay, { amount: amountOf(view) })}</span>
    </button>
  </form>`;

function payingCardList(view: View, { giftCards }: Form, key: Markup): Markup {
  const { texts } = view.language;
  return html`<ul class="items gifts">
    ${giftCards.payingCards.map(({ lastFour, balance, amount }, index) => {
      const label = `${texts.giftCardRemove}: ${fill(texts.giftCard, { number: lastFour })}`;
      return html`<li>
        <div class="what">
          ${place(texts.giftCard, maskedNumber(lastFour))}
          <form class="more" method="post">
            <span>${say(texts.giftCardBalance, { amount: amountOf(view, balance) })}</span>
            ${key}<input type="hidden" name="index" value="${index}" />
            <button class="small" name="method" value="${REMOVE_GIFT_CARD}" aria-label="${label}">
              ${texts.giftCardRemove}
            </button>
          </form>
        </div>
        <span class="price"><bdi>${amountOf(view, -amount)}</bdi></span>
      </li>`;
    })}
    <li class="total">
      <span class="what">${texts.leftToPay}</span>
      <span class="price"><bdi>${amountOf(view, giftCards.left)}</bdi></span>
    </li>
  </ul>`;
}

function addForm({ language: { texts } }: View, { giftCardFaults }: Form, key: Markup): Markup {
  const faults = giftCardFaults ?? [];
  const ofPin = faults.includes('pin');
  const other = faults.find((fault) => fault !== 'pin');
  const attributes = html`autocomplete="off" autocapitalize="none" spellcheck="false" dir="ltr"`;
  return html`<details class="gift" ${faults.length > 0 && html`open`}>
    <summary>${methodMark(GIFT_CARDS_ALONE)}<span>${texts.giftCardUse}</span></summary>
    <form class="gift" method="post" novalidate>
      ${key}<input type="hidden" name="method" value="${ADD_GIFT_CARD}" />
      ${fieldOf({
        ...{ name: 'gift_number', label: texts.giftCardNumber },
        error: texts.giftCardNumberError,
        fault: other && texts[ERRORS[other]],
        attributes: html`inputmode="numeric" maxlength="40" ${attributes}`,
        ...{ isWrong: other !== undefined, isFocused: other !== undefined },
      })}
      ${fieldOf({
        ...{ name: 'gift_pin', label: texts.giftCardPin, error: texts.giftCardPinError },
        attributes: html`maxlength="20" ${attributes}`,
        ...{ isWrong: ofPin, isFocused: ofPin && other === undefined },
      })}
      <button>${texts.giftCardApply}</button>
    </form>
  </details>`;
}

/** The messages for a card that cannot pay. */
const ERRORS = {
  number: 'giftCardNumberError',
  pin: 'giftCardPinError',
  unknown: 'giftCardUnknown',
  expired: 'giftCardExpired',
  inactive: 'giftCardInactive',
  empty: 'giftCardEmpty',
  currency: 'giftCardCurrency',
  twice: 'giftCardTwice',
  // No page has a form for more than there may be.
  tooMany: 'giftCardUnavailable',
  refused: 'giftCardUnavailable',
  unavailable: 'giftCardUnavailable',
} as const satisfies Record<GiftCardFault, keyof Texts>;
