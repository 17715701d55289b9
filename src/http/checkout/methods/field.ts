import { schemeMark } from '../look/marks.ts';
import { html, type Markup } from '../../pages/html.ts';

/** A text field of a form, with its label, its hint and what is wrong with it. */
export type Field = {
  /** Also its id: there is one of each on a page. */
  readonly name: string;
  readonly label: string;
  /** The message for a value that is wrong by itself. The script shows the same message. */
  readonly error: string;
  /** The message for any other fault. */
  readonly fault?: string | undefined;
  readonly attributes: Markup;
  readonly hint?: string | undefined;
  readonly isWrong: boolean;
  readonly isFocused: boolean;
  /** True for a field that only some choices need. */
  readonly isFresh?: boolean;
};

export function fieldOf(field: Field): Markup {
  const { name, label, error, attributes, hint, isWrong, isFocused, isFresh = false } = field;
  const { fault = error } = field;
  const described = [...(hint === undefined ? [] : [`${name}-hint`]), `${name}-error`].join(' ');
  return html`<div class="field${isFresh && ' fresh'}">
    <div class="head">
      <label for="${name}">${label}</label>
      ${name === 'number' && html`<span class="scheme" aria-hidden="true">${schemeMark()}<span></span></span>`}
    </div>
    <div class="box">
      <input
        id="${name}"
        name="${name}"
        required
        aria-invalid="${String(isWrong)}"
        aria-describedby="${described}"
        data-error="${error}"
        ${attributes}${isFocused && html` autofocus`}
      />
    </div>
    <p class="error" id="${name}-error">${isWrong && fault}</p>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}
