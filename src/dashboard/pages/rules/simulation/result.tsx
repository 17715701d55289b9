import { Link } from '../../../app/route.tsx';
import { FactList, type Fact } from '../../../design/record/facts.tsx';
import { writeMoney } from '../../../design/value.tsx';
import { texts } from '../../../texts/texts.ts';
import { addressOf } from '../activity.tsx';
import type { VersionName } from '../query.ts';
import type { Names } from '../words.ts';
import { Bars, writeNumber } from './bars.tsx';
import type { Result } from './query.ts';
import { sumsOf } from './sums.ts';

const { routingSimulations: words } = texts;

type OutcomeProps = { readonly result: Result; readonly version: VersionName; readonly names: Names };

/** The answer of a simulation: authorisations, first services, refusals, fees, and the payments that differ most. */
export function Outcome({ result, version, names }: OutcomeProps) {
  const nameOf = (id: string | null): string =>
    id === null ? words.noService : (names.services.get(id) ?? id);
  const { compared, moves } = result;
  return (
    <>
      <FactList facts={[...factsOf(result), ...refusalFacts(result), ...feeFacts(result)]} />
      {compared.payments > 0 && (
        <Bars
          title={words.authorized}
          most={compared.payments}
          rows={[[words.compared, compared.authorizedThen, compared.authorizedExpected]]}
        />
      )}
      {moves.length > 0 && (
        <Bars
          title={words.moves}
          most={result.payments}
          rows={sumsOf(moves).map(({ serviceId, then, now }) => [nameOf(serviceId), then, now])}
        />
      )}
      <Differing {...{ result, version, nameOf }} />
    </>
  );
}

function factsOf({ payments, compared, unknown, passedBy, open }: Result): readonly Fact[] {
  const { authorizedThen, authorizedExpected, authorizedLow, authorizedHigh } = compared;
  const [low, high] = [writeNumber(authorizedLow), writeNumber(authorizedHigh)];
  return [
    [words.payments, writeNumber(payments)],
    [words.compared, writeNumber(compared.payments)],
    [words.authorizedThen, writeNumber(authorizedThen)],
    [words.authorizedExpected, words.interval(writeNumber(authorizedExpected), low, high)],
    [words.attemptsThen, writeNumber(compared.attemptsThen)],
    [words.attemptsExpected, writeNumber(compared.attemptsExpected)],
    [words.unknown, unknown.payments > 0 && words.unknownText(unknown.payments)],
    [words.passedBy, passedBy > 0 && writeNumber(passedBy)],
    [words.open, open > 0 && writeNumber(open)],
  ];
}

const refusalFacts = ({ refused, withoutService: { payments, authorizedThen } }: Result): readonly Fact[] => [
  ...refused.map((each): Fact => [
    words.refused(each.code),
    words.ofThem(each.payments, writeNumber(each.authorizedThen)),
  ]),
  [words.withoutService, payments > 0 && words.ofThem(payments, writeNumber(authorizedThen))],
];

/** The fees by the rates of settlements, and the amounts without such a rate. Absent without the scope to read settlements. */
const feeFacts = (result: Result): readonly Fact[] =>
  (result as Partial<Result>).fees?.flatMap((fees): readonly Fact[] => {
    const { currency, amountWithoutFeeThen, amountWithoutFeeExpected } = fees;
    const write = (then: number, expected: number): string =>
      words.thenNow(writeMoney({ amount: then, currency }), writeMoney({ amount: expected, currency }));
    return [
      [words.fees(currency), write(fees.then, fees.expected)],
      [
        words.withoutFees(currency),
        amountWithoutFeeThen + amountWithoutFeeExpected > 0 &&
          write(amountWithoutFeeThen, amountWithoutFeeExpected),
      ],
    ];
  }) ?? [];

type DifferingProps = Pick<OutcomeProps, 'result' | 'version'> & {
  readonly nameOf: (id: string | null) => string;
};

/** The payments that differ most. Without the scope to read payments, they are absent. */
function Differing({ result, version, nameOf }: DifferingProps) {
  const { differing = [] } = result as Partial<Result>;
  if (differing.length === 0) return null;
  return (
    <div className="simulated">
      <h3>{words.differing}</h3>
      <ol className="simulated-payments">
        {differing.map(({ transactionId, amount, currency, kind, rule, ruleName, ...way }) => (
          <li key={transactionId}>
            <Link to={`payments/${transactionId}`}>{writeMoney({ amount, currency })}</Link>
            <span>{words.way(nameOf(way.fromPaymentServiceId), nameOf(way.toPaymentServiceId))}</span>
            <span className="quiet">{words.kind[kind]}</span>
            {rule !== null && ruleName !== null && (
              <Link to={`${addressOf(version)}&rule=${rule}`}>
                {texts.routingRules.ranked(rule, ruleName)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
