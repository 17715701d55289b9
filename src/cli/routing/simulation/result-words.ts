import { moneyWords } from '../words/rule-words.ts';
import type { Differing, Ended, Result } from './read.ts';

/** Says the answer of a simulation in lines. `version` names the version. */
export function resultWords(version: string, { from, to, result }: Ended): readonly string[] {
  const { payments, compared, unknown, passedBy, open } = result;
  return [
    `${count(payments)} payments from ${from} to ${to}, played through ${version}.`,
    `Authorised: ${count(compared.authorizedThen)} then, ${part(compared.authorizedExpected)} expected ` +
      `(${part(compared.authorizedLow)} to ${part(compared.authorizedHigh)}), of ${count(compared.payments)} compared.`,
    `Attempts: ${count(compared.attemptsThen)} then, ${part(compared.attemptsExpected)} expected.`,
    `Unknown: ${count(unknown.payments)} payments whose new service saw no such payment.`,
    ...some(passedBy, `Passed by: ${count(passedBy)} payments about which no rules decide.`),
    ...some(open, `Open: ${count(open)} payments about which no service decided.`),
    ...refusalWords(result),
    ...feeWords(result),
    ...moveWords(result),
    ...differingWords(result),
  ];
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const count = (number: number): string => NUMBER.format(number);
const part = (number: number): string => NUMBER.format(number);

const some = (payments: number, line: string): readonly string[] => (payments === 0 ? [] : [line]);

const refusalWords = ({
  refused,
  withoutService: { payments, authorizedThen },
}: Result): readonly string[] => [
  ...refused.map(
    (each) =>
      `Refused with ${each.code}: ${count(each.payments)} payments, of which ${count(each.authorizedThen)} were authorised.`,
  ),
  ...some(
    payments,
    `Without a service: ${count(payments)} payments, of which ${count(authorizedThen)} were authorised.`,
  ),
];

/** The fees by the rates of settlements, and the amounts without such a rate. */
const feeWords = ({ fees }: Result): readonly string[] =>
  fees?.flatMap(({ currency, amountWithoutFeeThen, amountWithoutFeeExpected, ...sums }) => [
    `Fees: ${moneyWords(sums.then, currency)} then, ${moneyWords(sums.expected, currency)} expected.`,
    ...some(
      amountWithoutFeeThen + amountWithoutFeeExpected,
      `Amounts without known fees: ${moneyWords(amountWithoutFeeThen, currency)} then, ` +
        `${moneyWords(amountWithoutFeeExpected, currency)} expected.`,
    ),
  ]) ?? ['Fees: left out, because the token lacks settlements.read.'];

type Way = Pick<Differing, 'fromPaymentService' | 'toPaymentService'>;

const wayWords = ({ fromPaymentService: from, toPaymentService: to }: Way): string =>
  `${from?.displayName ?? 'no service'} -> ${to?.displayName ?? 'no service'}`;

const moveWords = ({ moves }: Result): readonly string[] =>
  moves.length === 0
    ? []
    : ['First service:', ...moves.map((move) => `  ${wayWords(move)}: ${count(move.payments)}`)];

function differingWords({ differing }: Result): readonly string[] {
  if (!differing) return ['Differing payments: left out, because the token lacks transactions.read.'];
  return differing.length === 0 ? [] : ['Differing most:', ...differing.map(differenceWords)];
}

function differenceWords(each: Differing): string {
  const { transactionId, amount, currency, kind, rule, ruleName, refusalCode } = each;
  const was = kind.startsWith('AUTHORIZED') ? 'authorised' : 'refused';
  const why = rule === null ? 'no rule holds' : `rule ${rule}, ${JSON.stringify(ruleName)}`;
  const end = refusalCode === null ? '' : `, which refuses with ${refusalCode}`;
  return `  ${transactionId} ${moneyWords(amount, currency)}, ${was}: ${wayWords(each)} by ${why}${end}`;
}
