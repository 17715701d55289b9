import { html, type Markup } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import type { Texts } from './look/language.ts';
import { SCRIPT_WITH_COPY } from './look/script.ts';
import { INSTRUCTION_STYLE } from './look/style.ts';

/** Adds the style and the script of a page that says how to pay elsewhere. */
export const withInstruction = (page: Page): Page => ({
  ...page,
  styles: [...(page.styles ?? []), INSTRUCTION_STYLE],
  script: SCRIPT_WITH_COPY,
});

/** Renders a button that copies a text. Only the script of the page shows the button. */
export const copyButton = (text: string, label: string, { copied }: Pick<Texts, 'copied'>): Markup =>
  html`<button type="button" data-copy="${text}" data-copied="${copied}" hidden>${label}</button>`;
