import { hexOf } from '../../../platform/input/color.ts';

/** A merchant's colour and the text that can be read on it. */
export type Brand = { readonly color: string; readonly on: '#ffffff' | '#000000' };

/** The colour of a merchant without one. */
const DEFAULT_COLOR = '#1f4fd8';

/** Returns the brand of a CSS colour. Only its form `#rrggbb` reaches a style sheet. Any other text counts as no colour. */
export function brandOf(given: string | null): Brand {
  const color = (given === null ? null : hexOf(given)) ?? DEFAULT_COLOR;
  const light = luminance(color.slice(1));
  return { color, on: contrast(light, 1) >= contrast(light, 0) ? '#ffffff' : '#000000' };
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
