import { html, type Markup } from '../pages/html.ts';

/** A text field of a form, with its label, its hint and what is wrong with it. */
export type Field = {
  /** Also its id: there is one of each on a page. */
  readonly name: string;
  readonly label: string;
  /** What is said when it is wrong by itself; a script says it, too. */
  readonly error: string;
  /** What is wrong with it otherwise. */
  readonly fault?: string | undefined;
  readonly attributes: Markup;
  readonly hint?: string | undefined;
  readonly isWrong: boolean;
  readonly isFocused: boolean;
  /** Of the box, for what only some choices need. */
  readonly isFresh?: boolean;
};

export function fieldOf(field: Field): Markup {
  const { name, label, error, attributes, hint, isWrong, isFocused, isFresh = false } = field;
  const { fault = error } = field;
  const described = [...(hint === undefined ? [] : [`${name}-hint`]), `${name}-error`].join(' ');
  return html`<div class="field${isFresh && ' fresh'}">
    <label for="${name}">${label}</label>
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
      ${name === 'number' && html`<span class="scheme" aria-hidden="true"></span>`}
    </div>
    <p class="error" id="${name}-error">${isWrong && fault}</p>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}
