import type { Page } from 'playwright-core';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { finishDue } from '../../src/modules/payment-links/index.ts';
import { createService } from '../transactions/harness.ts';
import type { Link, LinksHarness } from './harness.ts';

/** Values of the form of a bank debit, by the names of its fields. */
export type BankForm = Readonly<Record<string, string>>;

/** Accounts of the sandbox, one for each currency. Every one settles. */
export const ACCOUNTS: Readonly<Record<'EUR' | 'USD' | 'GBP', BankForm>> = {
  EUR: { iban: 'DE89 3704 0044 0532 0130 00', holder: 'Ada Lovelace' },
  USD: {
    ...{ routing_number: '110000000', ach_number: '000123456789', account_type: 'checking' },
    holder: 'Analytical',
  },
  GBP: { sort_code: '10-88-00', bacs_number: '00012345', holder: 'Ada Lovelace' },
};

/** An account of SEPA whose bank refuses the debit later. */
export const REFUSED_IBAN = 'DE62370400440532013001';

/** An account of SEPA whose debit settles and comes back. */
export const RETURNING_IBAN = 'DE78370400440532013004';

/** Adds a payment service that debits bank accounts. Returns its id. */
export const addBank = ({ server, provider }: LinksHarness, input: object = {}): Promise<string> =>
  createService(server, provider.url, {
    ...{ definitionId: 'mock-bank', displayName: 'Debits', currencies: ['EUR', 'USD', 'GBP'] },
    countries: ['DE', 'US', 'GB'],
    ...input,
  });

/** Opens the form of a bank debit if another method hides the form, and fills in the form. */
export async function fillBank(page: Page, values: BankForm): Promise<void> {
  const details = page.locator('details.debit');
  if ((await details.count()) > 0 && (await details.getAttribute('open')) === null)
    await details.locator('summary').click();
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`#${name}`);
    await (name === 'account_type' ? field.selectOption(value) : field.fill(value));
  }
}

/** Accepts the mandate. */
export const consent = (page: Page): Promise<void> => page.locator('#mandate').check();

/** Presses the button of the form of a bank debit. */
export const pressDebit = (page: Page): Promise<void> => page.locator('form.bank button').click();

/** Lets time pass until the bank has decided and the link shows the decision. */
export async function decideDebits({ clock, server }: LinksHarness): Promise<void> {
  clock.advance(61_000);
  while (await reconcileDue(server.app));
  while (await finishDue(server.app));
}

/** Reads the stored debits of a link, oldest first. */
export const debitsOf = (harness: LinksHarness, { id }: Pick<Link, 'id'>) =>
  harness.rows<{
    status: string;
    payment_service_id: string;
    buyer: unknown;
    captured_amount: number;
    bank: { scheme: string; lastFour: string; mandate: Readonly<Record<string, unknown>> | null };
  }>(
    `SELECT status, payment_service_id::text, buyer, captured_amount, bank FROM transaction
     WHERE payment_link_id = $1::uuid ORDER BY id`,
    id,
  );
