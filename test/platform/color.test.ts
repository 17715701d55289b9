import { describe, expect, it } from '@jest/globals';
import { hexOf } from '../../src/platform/input/color.ts';

describe('a CSS colour', () => {
  it.each([
    ['#1A2b3c', '#1a2b3c'],
    ['#fd4', '#ffdd44'],
    ['#ffff', '#ffffff'],
    ['red', '#ff0000'],
    ['RebeccaPurple', '#663399'],
    ['rgb(1, 2, 3)', '#010203'],
    ['hsl(120deg 50% 30%)', '#267326'],
    ['lab(50 0 0)', '#777777'],
    ['color(display-p3 1 0 0)', '#ff0000'],
    ['transparent', '#ffffff'],
    ['rgb(0 0 0 / 50%)', '#808080'],
    ['rgb(none none none)', '#000000'],
  ])('%s becomes %s', (css, hex) => {
    expect(hexOf(css)).toBe(hex);
  });

  it.each(['', 'reddish', 'fff', '123456', '#12', 'red\n', ' red', 'currentColor', 'inherit', 'var(--red)'])(
    'is not %j',
    (text) => {
      expect(hexOf(text)).toBeNull();
    },
  );

  it.each(['rgb(1e999 0 0)', 'lch(1e400 1e400 1e400)', '#fff;}body{', 'url(x)'])(
    'is not %j either',
    (text) => {
      expect(hexOf(text)).toBeNull();
    },
  );
});
