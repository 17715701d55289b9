import { verificationOf, type CallContext, type Verification } from '../door.ts';
import { viewerAnswer } from './answers.ts';
import { parse, type Answer, type Api } from './exchange.ts';
import { merchantAccountsIn, type MerchantAccount } from './merchant-accounts.ts';

/**
 * Asks Braintree who has the keys, and compares the merchant accounts with those of the field. Moves no money. A key that may not list
 * merchant accounts is accepted without the comparison.
 */
export async function verifyBraintree(api: Api, { credentials }: CallContext): Promise<Verification> {
  const accounts = merchantAccountsIn(credentials);
  if (accounts === null) return refused(NO_ACCOUNTS);
  const answer = await api.read('viewer', {});
  const shown = shownBy(answer);
  if (shown !== undefined) {
    const read = parse(viewerAnswer, shown);
    if (!read) return { kind: 'unknown', cause: 'unreadable' };
    const wrong = accounts.find((account) => isWrong(account, read.viewer.merchant?.merchantAccounts));
    return wrong ? refused(`Braintree has no merchant account ${wrong.id} in ${wrong.currency}.`) : ACCEPTED;
  }
  return verificationOf(answer, REASONS);
}

/** Returns what a key may see. */
const shownBy = (answer: Answer): unknown => (answer.kind === 'answered' ? answer.body : answer.partial);

type Listed =
  | {
      readonly edges: readonly {
        readonly node: { readonly id: string; readonly currencyCode?: string | null | undefined };
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    }
  | null
  | undefined;

/** True if Braintree lists all its merchant accounts, and not this one, or lists another currency of it. */
function isWrong({ id, currency }: MerchantAccount, listed: Listed): boolean {
  const found = listed?.edges.find(({ node }) => node.id === id);
  if (!found) return listed?.pageInfo.hasNextPage === false;
  return found.node.currencyCode != null && found.node.currencyCode !== currency;
}

const ACCEPTED: Verification = { kind: 'accepted' };

const refused = (reason: string): Verification => ({ kind: 'refused', reason });

const NO_ACCOUNTS =
  'merchant_accounts needs a currency and a merchant account on each line, such as `EUR acme_eur`. A currency has one line.';

const REASONS = {
  invalid_service_credentials:
    'Braintree refuses the keys. The Control Panel shows them under API. The sandbox has other keys than production.',
};
