import { html, type Markup } from '../../pages/html.ts';
import { fieldOf } from '../methods/field.ts';
import type { Form, OfferedDebit } from '../form.ts';
import { LOCK } from '../methods/lock.ts';
import type { Texts } from '../look/language.ts';
import { DIRECT_DEBIT, methodMark } from '../look/marks.ts';
import { amountOf, say, type View } from '../look/view.ts';
import { BANK, BANK_FIELDS, type BankFieldName } from './submission.ts';

/**
 * Renders the debit of a bank account, behind its name if other methods are offered too. The form is open after a
 * mistake.
 */
export function bankPart(view: View, form: Form, isAlone: boolean): Markup {
  const { texts } = view.language;
  const { debit } = form;
  if (!debit) return html``;
  const inner = bankForm(view, form, debit);
  if (isAlone)
    return html`<h2>${texts.bankHeading}</h2>
      ${inner}`;
  return html`<details class="debit" ${form.values?.bank && html`open`}>
    <summary>${methodMark(DIRECT_DEBIT)}<span>${texts.bankHeading}</span></summary>
    ${inner}
  </details>`;
}

function bankForm(view: View, form: Form, { scheme, text, formKey }: OfferedDebit): Markup {
  const { texts } = view.language;
  const { routingNumber, accountNumber, accountType } = BANK_FIELDS[scheme];
  const names = [routingNumber, accountNumber, accountType, 'holder', 'mandate'] as const;
  const first = names.find((name) => name !== null && form.wrong?.has(name));
  const stateOf = (name: BankFieldName) => ({
    name,
    isWrong: form.wrong?.has(name) ?? false,
    isFocused: name === first,
  });
  const field = (name: keyof typeof LABELS, attributes: Markup) =>
    fieldOf({ ...stateOf(name), label: LABELS[name](texts), error: texts[ERRORS[name]], attributes });
  const number = html`inputmode="${scheme === 'sepa' ? 'text' : 'numeric'}" autocomplete="off"
  autocapitalize="characters" spellcheck="false" dir="ltr" maxlength="42"`;
  return html`<form class="bank" method="post" novalidate>
    <input type="hidden" name="form_key" value="${formKey}" />
    <input type="hidden" name="method" value="${BANK}" />
    ${routingNumber !== null && field(routingNumber, number)} ${field(accountNumber, number)}
    ${accountType !== null && typeField(texts, stateOf(accountType), form.values?.bank?.accountType ?? '')}
    ${field(
      'holder',
      html`autocomplete="name" dir="auto" maxlength="200" value="${form.values?.bank?.holder ?? ''}"`,
    )}
    ${consent(texts, stateOf('mandate'), text)}
    <button class="main" data-paying="${texts.paying}">
      <span>${say(texts.pay, { amount: amountOf(view, form.giftCards.left) })}</span>
    </button>
    <p class="note">${LOCK}<span>${texts.bankSecure}</span></p>
  </form>`;
}

/** IBAN is a name, which no language translates. */
const LABELS = {
  iban: () => 'IBAN',
  ach_number: ({ accountNumber }: Texts) => accountNumber,
  bacs_number: ({ accountNumber }: Texts) => accountNumber,
  routing_number: ({ routingNumber }: Texts) => routingNumber,
  sort_code: ({ sortCode }: Texts) => sortCode,
  holder: ({ accountHolder }: Texts) => accountHolder,
};
const ERRORS = {
  iban: 'ibanError',
  ach_number: 'achNumberError',
  bacs_number: 'bacsNumberError',
  routing_number: 'routingNumberError',
  sort_code: 'sortCodeError',
  holder: 'accountHolderError',
} as const satisfies Record<keyof typeof LABELS, keyof Texts>;

type State = { readonly name: string; readonly isWrong: boolean; readonly isFocused: boolean };

const stateAttributes = ({ name, isWrong, isFocused }: State, described: string, error: string): Markup =>
  html`id="${name}" name="${name}" required aria-invalid="${String(isWrong)}" aria-describedby="${described}"
  data-error="${error}" ${isFocused && html`autofocus`}`;

/** No kind is chosen beforehand: a debit of the wrong kind may come back weeks later. */
function typeField(texts: Texts, state: State, chosen: string): Markup {
  const kinds = { checking: texts.accountChecking, savings: texts.accountSavings };
  return html`<div class="field">
    <label for="${state.name}">${texts.accountType}</label>
    <div class="box pick">
      <select ${stateAttributes(state, `${state.name}-error`, texts.accountTypeError)}>
        <option value=""></option>
        ${Object.entries(kinds).map(
          ([kind, label]) =>
            html`<option value="${kind}" ${kind === chosen && html`selected`}>${label}</option>`,
        )}
      </select>
    </div>
    <p class="error" id="${state.name}-error">${state.isWrong && texts.accountTypeError}</p>
  </div>`;
}

function consent(texts: Texts, state: State, text: string): Markup {
  return html`<div class="field">
    <p class="mandate" id="mandate-text">${text}</p>
    <label class="consent">
      <input
        type="checkbox"
        value="accepted"
        ${stateAttributes(state, 'mandate-text mandate-error', texts.mandateError)}
      />
      <span>${texts.mandateAccept}</span>
    </label>
    <p class="error" id="mandate-error">${state.isWrong && texts.mandateError}</p>
  </div>`;
}
