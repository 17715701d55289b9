import { expect, it } from '@jest/globals';
import { formatAmount } from '../../src/http/pages/page.ts';

it.each([
  [1299, 'USD', 'en', '$12.99'],
  [1299, 'JPY', 'en', '¥1,299'],
  [1299, 'KWD', 'en', 'KWD 1.299'],
  [5, 'CLF', 'en', 'CLF 0.0005'],
  // A discount has a minus, not a hyphen.
  [-1299, 'EUR', 'de', '−12,99 €'],
  // Languages show these without decimals, as cash has none. The amount still counts hundredths.
  [129900, 'HUF', 'hu', '1299,00 Ft'],
  [129900, 'ALL', 'en', 'ALL 1,299.00'],
])('%i minor units of %s are shown in %s as "%s"', (amount, currency, locale, shown) => {
  expect(formatAmount(amount, currency, locale).replaceAll(/\s/g, ' ')).toBe(shown);
});
