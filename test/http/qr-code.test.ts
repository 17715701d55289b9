import { expect, it } from '@jest/globals';
import { drawingOf } from '../../src/http/checkout/look/qr-code.ts';

it('the drawing of a code is made once, however often its page is asked for', () => {
  const text = '00020126580014br.gov.bcb.pix';
  const first = drawingOf(text);

  expect(first.path).toMatch(/^M4 4h1v1h-1z/);
  expect(drawingOf(text)).toBe(first);
  expect(drawingOf(`${text}0`)).not.toEqual(first);
});

it('old drawings make room, so that memory has a bound', () => {
  const first = drawingOf('first');
  for (let index = 0; index < 60; index += 1) drawingOf(`${index}`.padEnd(2000, 'x'));

  expect(drawingOf('first')).not.toBe(first);
  expect(drawingOf('first')).toEqual(first);
});
