import type { LocalNetwork, StoredCard } from '../../../modules/payment-links/index.ts';
import { html, type Markup } from '../../pages/html.ts';
import { fieldOf, type Field } from './field.ts';
import type { Form } from '../form.ts';
import { LOCK } from './lock.ts';
import { SCHEME_DRAWINGS, schemeMark, SCHEMES } from '../look/marks.ts';
import { fill } from '../look/language.ts';
import { codeLengthAt, type FieldName } from '../submission.ts';
import { amountOf, say, type View } from '../look/view.ts';

/**
 * Renders the form for a stored card with its security code, or for another card. The markup `key` is part of
 * every form.
 */
export function cardForm(view: View, form: Form, key: Markup): Markup {
  const { link, merchant, language } = view;
  const { texts } = language;
  const { stored } = form.methods;
  const first = FIELDS.find((name) => form.wrong?.has(name));
  const field = (name: keyof typeof LABELS, attributes: Markup, more: Pick<Field, 'hint' | 'fault'> = {}) =>
    fieldOf({
      ...{ name, label: texts[LABELS[name]], error: texts[ERRORS[name]], attributes, ...more },
      ...{ isWrong: form.wrong?.has(name) ?? false, isFocused: name === first },
      isFresh: name !== 'security_code' && stored.length > 0,
    });
  const { expiry = '', name = '' } = form.values ?? {};
  return html`<form class="card" method="post" novalidate>
    ${SCHEME_DRAWINGS}${key}<input type="hidden" name="method" value="card" />
    ${stored.length > 0 && choices(view, form)}
    ${field('number', html`inputmode="numeric" autocomplete="cc-number" dir="ltr" maxlength="40"`)}
    <div class="pair">
      ${field(
        'expiry',
        html`inputmode="numeric" autocomplete="cc-exp" dir="ltr" maxlength="7"
        placeholder="${texts.expiryExample}" value="${expiry}"`,
      )}
      ${field(
        'security_code',
        html`inputmode="numeric" autocomplete="cc-csc" dir="ltr" maxlength="4"
        data-error-of="${texts.securityCodeErrorOf}"`,
        { hint: texts.securityCodeHint, fault: codeFault(view, form) },
      )}
    </div>
    ${networkField(view, form, first === 'network')}
    ${asksName(view) && field('name', html`autocomplete="cc-name" dir="auto" maxlength="200" value="${name}"`)}
    <button class="main" data-paying="${texts.paying}">
      <span>${say(texts.pay, { amount: amountOf(view, form.giftCards.left) })}</span>
    </button>
    <p class="note">${LOCK}<span>${texts.secure}</span></p>
    ${link.store && html`<p class="note fresh"><span>${say(texts.stored, { merchant })}</span></p>`}
  </form>`;
}

/**
 * Renders the choice between the networks of a co-badged card, where the country has a network of its own. The page's
 * script hides the choice beside a number of one network, and removes the networks that the number excludes.
 */
function networkField({ language: { texts } }: View, { methods, values, wrong }: Form, isFocused: boolean) {
  const { localNetwork, stored } = methods;
  if (localNetwork === null) return false;
  const isWrong = wrong?.has('network') ?? false;
  const networks = [localNetwork, 'visa', 'mastercard'] as const;
  const names = networks.map((network) => [network, NETWORK_NAMES[network]] as const);
  return html`<div class="field${stored.length > 0 && ' fresh'}" data-networks>
    <label for="network">${texts.network}</label>
    <div class="box pick">
      <select
        id="network"
        name="network"
        aria-invalid="${String(isWrong)}"
        aria-describedby="network-error"
        ${isFocused && html`autofocus`}
      >
        <option value="">${texts.networkAny}</option>
        ${names.map(
          ([value, name]) =>
            html`<option value="${value}" ${value === values?.network && html`selected`}>${name}</option>`,
        )}
      </select>
    </div>
    <p class="error" id="network-error">${isWrong && texts.networkError}</p>
  </div>`;
}

/** The networks call themselves so in every language. */
const NETWORK_NAMES = {
  bancontact: 'Bancontact',
  carte_bancaire: 'Cartes Bancaires',
  dankort: 'Dankort',
  eftpos_australia: 'eftpos',
  mastercard: 'Mastercard',
  visa: 'Visa',
} as const satisfies Record<LocalNetwork | 'mastercard' | 'visa', string>;

/** Returns the message for a wrong security code, if the chosen stored card or the typed number tells its length. */
function codeFault({ language: { texts } }: View, { values, methods, codeLength }: Form): string | undefined {
  const chosen = methods.stored.find(({ id }) => id === values?.stored);
  const length = chosen ? codeLengthAt(chosen.scheme) : codeLength;
  return length == null ? undefined : fill(texts.securityCodeErrorOf, { count: String(length) });
}

/** True if the form asks for the payer's name, because the link has no buyer. */
export const asksName = ({ link }: Pick<View, 'link'>): boolean => link.buyer === null;

const FIELDS = [
  ...['number', 'expiry', 'security_code', 'network', 'name'],
] as const satisfies readonly FieldName[];
const LABELS = { number: 'number', expiry: 'expiry', security_code: 'securityCode', name: 'name' } as const;
const ERRORS = {
  number: 'numberError',
  expiry: 'expiryError',
  security_code: 'securityCodeError',
  name: 'nameError',
} as const;

/** The heading that names the choice between cards. */
export const CARD_HEADING_ID = 'by-card';

/** Renders the choice of cards. The most recently used card is selected, unless the buyer chose another before. */
function choices({ language: { texts } }: View, { methods: { stored }, values }: Form): Markup {
  const chosen = values?.stored ?? stored[0]?.id;
  return html`<fieldset class="choices" aria-labelledby="${CARD_HEADING_ID}">
    ${stored.map((card) => choice(card, card.id === chosen, storedCard(card, texts.cardExpires)))}
    ${choice(null, !stored.some(({ id }) => id === chosen), html`<span class="what">${texts.otherCard}</span>`)}
  </fieldset>`;
}

/** Renders a stored card with the digits of its code, or with null the choice of another card. */
function choice(card: StoredCard | null, isChosen: boolean, text: Markup): Markup {
  const length = codeLengthAt(card?.scheme ?? null);
  const code = length !== null && html`data-code="${length}"`;
  const [id, checked] = [card?.id ?? '', isChosen && html`checked`];
  return html`<label class="choice"
    ><input type="radio" name="stored" value="${id}" ${checked} ${code} />${text}</label
  >`;
}

const storedCard = ({ scheme, lastFour, expirationDate }: StoredCard, expires: string): Markup =>
  html`<span class="what"
      >${scheme !== null && html`${schemeMark(SCHEMES[scheme])} ${SCHEMES[scheme]}`}
      ${maskedNumber(lastFour)}</span
    >
    <span class="count">${say(expires, { date: expirationDate })}</span>`;

/** Renders the last four digits of a number, as on card statements. */
export const maskedNumber = (lastFour: string): Markup =>
  html`<bdi dir="ltr"><span aria-hidden="true">••••&nbsp;</span>${lastFour}</bdi>`;
