import { html } from '../../pages/html.ts';

/** The sign of an encrypted transfer. */
export const LOCK = html`<svg
  width="16"
  height="16"
  viewBox="0 0 16 16"
  fill="none"
  stroke="currentColor"
  stroke-width="1.5"
  aria-hidden="true"
>
  <rect x="3" y="7" width="10" height="7" rx="1.5" />
  <path d="M5 7V5a3 3 0 0 1 6 0v2" />
</svg>`;
