import { html, type Markup } from '../../pages/html.ts';

// The marks of card schemes and of ways to pay. All are drawn for this page: simple shapes in the known colours.

/** The names of schemes, by Paygraph's word. The script of the page uses the same names. */
export const SCHEMES: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners_club: 'Diners Club',
  discover: 'Discover',
  elo: 'Elo',
  hipercard: 'Hipercard',
  jcb: 'JCB',
  maestro: 'Maestro',
  mastercard: 'Mastercard',
  mir: 'Mir',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** Draws the mark of a scheme by its name. A name without a drawing leaves the place empty. */
export const schemeMark = (name = ''): Markup =>
  html`<svg class="brand" viewBox="0 0 32 20" aria-hidden="true">
    <use href="#${name.replace(' ', '-')}" />
  </svg>`;

/** The drawings of schemes, once for each page with a form. */
export const SCHEME_DRAWINGS = html`<svg width="0" height="0" class="drawings" aria-hidden="true">
  <symbol id="Visa">
    <path
      d="M5 6.5l2 7 3.5-7m2.6 0l-1.4 7m7-6.4c-1.5-1-3.4-.5-3.4.7 0 1.8 3 1.4 2.6 3.5-.3 1.6-2.6 2-4 1m5.6 1.2l4-7 1.5 7m-4.2-2.3h3.7"
      fill="none"
      stroke="#1a1f71"
      stroke-width="1.7"
    />
  </symbol>
  <symbol id="Mastercard">
    <circle cx="12.4" cy="10" r="6" fill="#eb001b" />
    <circle cx="19.6" cy="10" r="6" fill="#f79e1b" />
    <path d="M16 5.2a6 6 0 0 1 0 9.6 6 6 0 0 1 0-9.6" fill="#ff5f00" />
  </symbol>
  <symbol id="American-Express">
    <path d="M0 0h32v20H0z" fill="#016fd0" />
    <path
      d="M3.5 13.5l2.5-7 2.5 7m-4-2.4h3m3 2.4v-7l2.5 4 2.5-4v7m6.5-7h-3.5v7h3.5m-3.5-3.5h3m2.5-3.5l4.5 7m0-7l-4.5 7"
      fill="none"
      stroke="#fff"
      stroke-width="1.5"
    />
  </symbol>
  <symbol id="Discover">
    <circle cx="20" cy="10" r="4" fill="#f58220" />
    <path d="M8 6.5h2a3.5 3.5 0 0 1 0 7h-2z" fill="none" stroke="#222" stroke-width="1.7" />
  </symbol>
  <symbol id="Diners-Club">
    <path
      d="M16 3.5a6.5 6.5 0 0 1 0 13 6.5 6.5 0 0 1 0-13m-2.5 3v7m5-7v7"
      fill="none"
      stroke="#0069aa"
      stroke-width="1.7"
    />
  </symbol>
  <symbol id="JCB">
    <path d="M7 3h5v11a3 3 0 0 1-3 3H7z" fill="#0e4c96" />
    <path d="M13.5 3h5v11a3 3 0 0 1-3 3h-2z" fill="#bc1f33" />
    <path d="M20 3h5v11a3 3 0 0 1-3 3h-2z" fill="#00873f" />
  </symbol>
  <symbol id="Maestro">
    <circle cx="12.4" cy="10" r="6" fill="#0099df" />
    <circle cx="19.6" cy="10" r="6" fill="#eb001b" />
    <path d="M16 5.2a6 6 0 0 1 0 9.6 6 6 0 0 1 0-9.6" fill="#6c6bbd" />
  </symbol>
  <symbol id="Elo">
    <circle cx="16" cy="10" r="8" fill="#111" />
    <g fill="none" stroke-width="2.4">
      <path d="M11.7 12.5a5 5 0 0 1 6.5-7" stroke="#ffcb05" />
      <path d="M20 7a5 5 0 0 1 0 6" stroke="#00a4e0" />
      <path d="M18.2 14.5a5 5 0 0 1-5-.4" stroke="#ef4123" />
    </g>
  </symbol>
  <symbol id="Hipercard">
    <path d="M0 0h32v20H0z" fill="#b3131b" />
    <path d="M12 5l-1.5 10m10.5-10l-1.5 10m-8-5h9" fill="none" stroke="#fff" stroke-width="2.2" />
  </symbol>
  <symbol id="Mir">
    <path
      d="M4 14V6l3 6 3-6v8m4-8v8l4.5-8v8m4 0V6h3a2.2 2.2 0 0 1 0 4.5h-3"
      fill="none"
      stroke="#0f754e"
      stroke-width="2"
      stroke-linejoin="round"
    />
  </symbol>
  <symbol id="UnionPay">
    <path d="M8 3h6l-3 14H5z" fill="#e21836" />
    <path d="M14 3h6l-3 14h-6z" fill="#00447c" />
    <path d="M20 3h6l-3 14h-6z" fill="#007b84" />
  </symbol>
</svg>`;

const BANK = html`<path d="M7 8l9-5 9 5z" fill="#3b4a63" />
  <path d="M7 16h18M10 9v5m4-5v5m4-5v5m4-5v5" stroke="#3b4a63" stroke-width="2" />`;

/** The key of the mark of a direct debit. */
export const DIRECT_DEBIT = 'direct-debit';

const METHOD_DRAWINGS: Readonly<Record<string, Markup>> = {
  [DIRECT_DEBIT]: BANK,
  paybybank: BANK,
  'gift-card': html`<path d="M4 3h24v14H4z" fill="#c2185b" />
    <path d="M11 3v14" stroke="#fff" stroke-width="2" />
    <path d="M11 10l-5-3.5v7zm0 0l5-3.5v7z" fill="#fff" />`,
  googlepay: html`<path d="M20.2 5.8a6 6 0 0 0-9.4 1.2" stroke="#ea4335" stroke-width="2.4" />
    <path d="M10.8 7a6 6 0 0 0 0 6" stroke="#fbbc04" stroke-width="2.4" />
    <path d="M10.8 13a6 6 0 0 0 8.8 1.8" stroke="#34a853" stroke-width="2.4" />
    <path d="M19.6 14.8a6 6 0 0 0 2.4-4.8h-5.6" stroke="#4285f4" stroke-width="2.4" />`,
  ideal: html`<path d="M7 2h10c6 0 9 4 9 8s-3 8-9 8H7z" fill="#c06" />
    <path d="M11 10.5v5m0-9v1" stroke="#fff" stroke-width="2.4" />`,
  oxxo: html`<path d="M0 0h32v20H0z" fill="#e2231a" />
    <path d="M0 3.5h32m-32 13h32" stroke="#fbb034" stroke-width="2" />
    <path d="M12 6.5l8 7m0-7l-8 7" stroke="#fff" stroke-width="2" />`,
  paypal: html`<path d="M14 6h5c3 0 4.4 1.6 3.8 4s-2.8 3.7-5.3 3.7h-2l-.8 3.8h-3z" fill="#009cde" />
    <path d="M11.5 2.5h5c3 0 4.4 1.6 3.8 4s-2.8 3.7-5.3 3.7h-2l-.8 3.8h-3z" fill="#003087" />`,
  venmo: html`<path d="M10 4.5l2.5 11.5 8.5-12" fill="none" stroke="#008cff" stroke-width="3" />`,
};

/** Draws the mark of a method. Nothing for a method without a drawing. */
export const methodMark = (method: string): Markup | false => {
  const drawing = METHOD_DRAWINGS[method];
  return (
    drawing !== undefined &&
    html`<svg class="brand" viewBox="0 0 32 20" fill="none" aria-hidden="true">${drawing}</svg>`
  );
};
