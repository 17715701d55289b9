import { LRUCache } from 'lru-cache';
import { encode } from 'uqr';
import { html, type Markup } from '../../pages/html.ts';

/** Draws a QR code. The code is dark on white in any look, because cameras expect that. `label`: its text for readers. */
export function qrCode(text: string, label: string): Markup {
  const { path, size } = drawingOf(text);
  return html`<svg
    class="code"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d="${path}" />
  </svg>`;
}

/** The dark squares of a code, and the squares along a side of the drawing. */
type Drawing = { readonly path: string; readonly size: number };

/** Open pages ask for their code every 2.5 seconds, and the largest drawing takes 15 ms. In characters, about 8 MB. */
const drawings = new LRUCache<string, Drawing>({
  maxSize: 8_000_000,
  sizeCalculation: ({ path }, text) => path.length + text.length,
});

/** Returns the drawing of a code, which is made once while pages ask for the code. */
export function drawingOf(text: string): Drawing {
  const known = drawings.get(text);
  if (known) return known;
  const { data, size } = encode(text, { ecc: 'L', border: 4 });
  const squares = data.flatMap((line, y) =>
    line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const drawing = { path: squares.join(''), size };
  drawings.set(text, drawing);
  return drawing;
}
