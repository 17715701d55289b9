import { encode, type QrCodeGenerateOptions } from 'uqr';

/** The share of a code that may be damaged: `L` a fifteenth, `M` a seventh. */
type Spare = Extract<QrCodeGenerateOptions['ecc'], 'L' | 'M'>;

/** Returns the dark squares of a code as an SVG path, with the width of its sides. */
function drawn(text: string, ecc: Spare): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { ecc, border: 2 });
  const squares = data.flatMap((line, y) =>
    line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { path: squares.join(''), size };
}

type QrCodeProps = { readonly text: string; readonly label: string; readonly ecc?: Spare };

/** A QR code. It is dark on white in any look, because cameras expect that. */
export function QrCode({ text, label, ecc = 'L' }: QrCodeProps) {
  const { path, size } = drawn(text, ecc);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Writes a code as a file of its own. */
export function qrFile(text: string): Blob {
  const { path, size } = drawn(text, 'L');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  return new Blob([svg], { type: 'image/svg+xml' });
}
