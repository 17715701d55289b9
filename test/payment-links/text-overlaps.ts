import type { Page } from 'playwright-core';

// Runs in the page. Collects the drawn texts with their places, then compares each with each.
const FIND = `(() => {
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const drawn = [];

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const text = node.textContent.trim();
    if (!text || !isSeen(node.parentElement) || node.parentElement.closest('script, style, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) drawn.push({ text, rect });
  }

  const pen = document.createElement('canvas').getContext('2d');
  for (const input of document.querySelectorAll('input')) {
    if (!isSeen(input) || ['radio', 'checkbox', 'hidden'].includes(input.type)) continue;
    const style = getComputedStyle(input);
    const outer = input.getBoundingClientRect();
    pen.font = style.font;
    const text = input.value || input.placeholder;
    const width = pen.measureText(text).width;
    const isAtRight = style.textAlign === 'right' || (style.textAlign === 'start' && style.direction === 'rtl');
    const left = isAtRight
      ? outer.right - parseFloat(style.paddingRight) - width
      : outer.left + parseFloat(style.paddingLeft);
    drawn.push({ text, rect: new DOMRect(left, outer.top + 8, width, outer.height - 16) });
  }

  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  return drawn.flatMap((one, index) =>
    drawn
      .slice(index + 1)
      .filter((other) => other.text !== one.text && meet(one.rect, other.rect))
      .map((other) => JSON.stringify(one.text) + ' and ' + JSON.stringify(other.text)),
  );
})()`;

/** Lists the pairs of texts on a page that are drawn over each other. The text in an input counts with its drawn width. */
export const overlapsOn = (page: Page): Promise<string[]> => page.evaluate<string[]>(FIND);
