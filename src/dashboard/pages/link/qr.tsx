import { encode } from 'uqr';
import { texts } from '../../texts/texts.ts';

/** Returns the dark squares of a code as an SVG path, with the width of its sides. */
function drawn(text: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((line, y) =>
    line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { path: squares.join(''), size };
}

/** The QR code of an address. It is dark on white in any look, because cameras expect that. */
export function QrCode({ address }: { readonly address: string }) {
  const { path, size } = drawn(address);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={texts.links.share.code}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Writes the code as a file of its own. */
export function qrFile(address: string): Blob {
  const { path, size } = drawn(address);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  return new Blob([svg], { type: 'image/svg+xml' });
}
