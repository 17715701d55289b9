import { html, type Markup } from '../../pages/html.ts';
import { formatDeadline, type Language } from './language.ts';

/** Renders a moment in UTC. The script of the page writes it anew in the buyer's time zone. */
export const momentOf = (at: Date, language: Language): Markup =>
  html`<time datetime="${at.toISOString()}" data-local>${formatDeadline(at, language)}</time>`;
