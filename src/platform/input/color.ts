import { formatHex, parse, rgb, type Rgb } from 'culori';
import { z } from 'zod';
import { text } from './text.ts';

/**
 * Returns a CSS colour as `#rrggbb`, or null for any other text. A transparent colour is laid on white. A colour outside
 * sRGB becomes the nearest of each channel.
 */
export function hexOf(css: string): string | null {
  // The parser also takes hexadecimal digits without their sign, which CSS does not. No name of a colour has these digits alone.
  if (/^[0-9a-f]+$/i.test(css)) return null;
  // A channel of the word none is absent.
  const color: Partial<Rgb> | undefined = rgb(parse(css));
  if (!color) return null;
  const { r = 0, g = 0, b = 0, alpha = 1 } = color;
  if (![r, g, b, alpha].every(Number.isFinite)) return null;
  const onWhite = (channel: number): number => channel * alpha + 1 - alpha;
  return formatHex({ mode: 'rgb', r: onWhite(r), g: onWhite(g), b: onWhite(b) });
}

/** A CSS colour of 1 to 100 characters. */
export const cssColor = text(1, 100).pipe(
  z
    .string()
    .refine(
      (css) => hexOf(css) !== null,
      'Must be a CSS colour, such as #1a2b3c, rebeccapurple or oklch(60% 0.2 250).',
    ),
);
