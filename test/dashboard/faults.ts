import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Found = { readonly id: string; readonly nodes: readonly { html: string; failureSummary: string }[] };

/**
 * Lists the findings of axe, and the elements that make the page wider than the screen. An open dialog hides the rest of the page,
 * so axe checks the dialog alone. The page needs `bypassCSP`, because its policy forbids the script of axe.
 */
export const faultsOf = async (page: Page): Promise<readonly string[]> => [
  ...(await violationsIn(page)),
  ...(await tooWideIn(page)),
];

/** Lists the findings of axe about the contrast of colours. Another scheme of colours changes nothing else. */
export const faintIn = (page: Page): Promise<readonly string[]> =>
  violationsIn(page, { runOnly: ['color-contrast'] });

async function violationsIn(page: Page, options: object = {}): Promise<readonly string[]> {
  await page.addScriptTag({ content: AXE });
  const found = await page.evaluate<{ readonly violations: readonly Found[] }>(
    `axe.run(document.querySelector("[role=dialog]") ?? document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`,
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** Says that the page is wider than the screen, and names the elements beyond. */
export const tooWideIn = (page: Page): Promise<readonly string[]> => page.evaluate(TOO_WIDE);

const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : ['The page is too wide.', ...[...document
  .querySelectorAll('body *')].filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return right > innerWidth + 1 || left < -1;
  }).map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 40))]`;
