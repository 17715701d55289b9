import { encode } from 'uqr';
import { html, type Markup } from '../../pages/html.ts';

/** Draws a QR code. The code is dark on white in any look, because cameras expect that. `label`: its text for readers. */
export function qrCode(text: string, label: string): Markup {
  const { data, size } = encode(text, { ecc: 'L', border: 4 });
  const squares = data.flatMap((line, y) =>
    line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg
    class="code"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d="${squares.join('')}" />
  </svg>`;
}
