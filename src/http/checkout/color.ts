/** A merchant's colour and the text that can be read on it. */
export type Brand = { readonly color: string; readonly on: '#ffffff' | '#000000' };

/** The colour of a merchant without one. */
const DEFAULT_COLOR = '#1f4fd8';

/**
 * Returns the brand of a colour, `#rgb` or `#rrggbb`. Any other text counts as no colour, and never reaches a style
 * sheet.
 */
export function brandOf(color: string | null): Brand {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color ?? '')?.[1] ?? DEFAULT_COLOR.slice(1);
  const long = digits.length === 3 ? Array.from(digits, (digit) => digit + digit).join('') : digits;
  const light = luminance(long);
  return {
    color: `#${long.toLowerCase()}`,
    on: contrast(light, 1) >= contrast(light, 0) ? '#ffffff' : '#000000',
  };
}

/** Computes the WCAG 2 contrast of two luminances. The better of white and black is always above 4.5. */
export const contrast = (one: number, other: number): number =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** WCAG 2 relative luminance of `rrggbb`. */
export function luminance(digits: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = parseInt(digits.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
