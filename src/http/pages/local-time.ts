import { html, type Markup } from './html.ts';
import { formatMoment } from './page.ts';

/** Renders a moment in UTC. The script of the page writes the moment anew in the buyer's time zone. */
export const localTime = (moment: Date): Markup =>
  html`<time datetime="${moment.toISOString()}" data-local>${formatMoment(moment)}</time>`;

/** Writes every moment of a page in the time zone of its reader. The server knows no time zone of a buyer. */
export const LOCAL_TIME_SCRIPT = `'use strict';
for (const time of document.querySelectorAll('[data-local]'))
  time.textContent = new Date(time.dateTime).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });`;
