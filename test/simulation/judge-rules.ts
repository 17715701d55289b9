import { retriableDeclines } from '../../src/connectors/codes/decline-codes.ts';
import type { Exchange } from './client.ts';
import { acceptingOf, MERCHANTS, type Currency, type ServiceKind } from './harness.ts';
import type { Evidence, Violation } from './judge.ts';
import { DRAWN_RULES, type DrawnRule, type RuledWay } from './rules.ts';
import type { OperationRow, TransactionRow } from './state.ts';

/**
 * Checks that each payment has one rule and follows it. The judge finds the rule by itself, with the drawn rules. No rule may send a
 * payment to a service that does not accept it, or to another merchant's. No rule allows a retry that is forbidden.
 */
export function judgeRules(evidence: Evidence): Violation[] {
  const broken = [
    ...evidence.state.transactions.flatMap((row) =>
      judgeRuled(row, evidence).map((what) => `transaction ${row.id} ${what}`),
    ),
    ...evidence.exchanges.flatMap(judgeRefusal),
  ];
  return broken.map((message) => ({ kind: 'rules', message }));
}

/** Names the ends of the merchants' own rules in a history, for the sums of a run. */
export const endsOfRules = (evidence: Evidence): readonly string[] =>
  evidence.state.transactions.flatMap((row) => {
    const rule = DRAWN_RULES[(row.routing?.rule ?? 0) - 1];
    if (!rule) return [];
    const asked = askedBy(row, evidence).length > 1 ? ', retried' : '';
    return [`${Array.isArray(rule.ways) ? (rule.ways.length > 1 ? 'split' : 'order') : 'positions'}${asked}`];
  });

type Asked = { readonly rules: string | undefined; readonly amount: number; readonly currency: Currency };

/** Returns the index of the first drawn rule that holds, or -1. */
const ruleOf = ({ rules, amount, currency }: Asked): number =>
  DRAWN_RULES.findIndex(
    ({ of, min, max, currencies, others }) =>
      String(of) === rules &&
      amount >= min &&
      amount <= max &&
      (currencies === null || currencies.includes(currency) !== others),
  );

function judgeRuled(row: TransactionRow, evidence: Evidence): readonly string[] {
  const asked = askedBy(row, evidence);
  const retries = judgeRetries(asked);
  const { routing } = row;
  // Gift cards that pay alone go to the only service for gift cards.
  if (asked[0]?.choice === 'requested' || row.method === 'gift-card')
    return [...retries, ...(routing === null ? [] : ['has no choice of its service, and has a rule'])];
  if (routing === null) return [...retries, 'has no decision of the rules'];
  const merchant = MERCHANTS.findIndex(({ id }) => id === row.merchant_account_id);
  const index = ruleOf({
    rules: row.metadata?.['rules'],
    amount: row.amount,
    currency: row.currency as Currency,
  });
  const wanted = index === -1 ? null : index + 1;
  return [
    ...retries,
    ...(routing.versionId === evidence.versions[merchant] ? [] : [`follows version ${routing.versionId}`]),
    ...(routing.rule === wanted ? [] : [`follows rule ${routing.rule ?? 'none'} of ${wanted ?? 'none'}`]),
    ...judgeWay(row, DRAWN_RULES[index], asked, evidence),
  ];
}

/** Checks that the asked services are the first of the way, in its order. A retry may pass a service over. */
function judgeWay(
  row: TransactionRow,
  rule: DrawnRule | undefined,
  asked: readonly OperationRow[],
  { serviceOf }: Evidence,
): readonly string[] {
  if (rule?.ways === 'refuse') return ['is made against a rule that refuses'];
  const merchant = MERCHANTS.findIndex(({ id }) => id === row.merchant_account_id);
  const accepting = acceptingOf(row.currency as Currency, row.intent);
  const way = rule?.ways ? wayOf(rule.ways, row.routing?.draw ?? null) : null;
  if (rule?.ways && !way) return [`has the draw ${JSON.stringify(row.routing?.draw)} of a share`];
  const kinds = way ? inOrder(way, accepting) : accepting;
  const services = kinds.map((kind) => serviceOf(merchant, kind));
  const places = asked.map(({ payment_service_id: service }) => services.indexOf(service));
  const isInOrder = places.every((place, nth) => place > (places[nth - 1] ?? -1));
  return asked.length > 0 && (places[0] !== 0 || !isInOrder)
    ? [`asks the places ${places.join(', ')} of ${kinds.join(', ')}`]
    : [];
}

type Draw = { readonly number: number; readonly share: number };

/** Finds the way of a share, and checks that the drawn number belongs to the share. */
function wayOf(ways: Exclude<DrawnRule['ways'], 'refuse' | null>, draw: Draw | null): RuledWay | null {
  if (ways.length === 1) return draw === null ? (ways[0] ?? null) : null;
  if (draw === null) return null;
  const total = ways.reduce((sum, { weight }) => sum + weight, 0);
  const before = ways.slice(0, draw.share - 1).reduce((sum, { weight }) => sum + weight, 0);
  const way = ways[draw.share - 1];
  const part = (draw.number / 1_000_000) * total;
  return way && part >= before && part < before + way.weight ? way : null;
}

const inOrder = (
  { kinds, onlyThese }: RuledWay,
  accepting: readonly ServiceKind[],
): readonly ServiceKind[] => [
  ...kinds.filter((kind) => accepting.includes(kind)),
  ...(onlyThese ? [] : accepting.filter((kind) => !kinds.includes(kind))),
];

/** Lists the requested authorisations of a payment in the order of their claims. */
function askedBy({ id }: TransactionRow, { state, commits }: Evidence): readonly OperationRow[] {
  const claimed = commits
    .filter(({ statement, transactionId }) => transactionId === id && /^(claim|reroute)_auth/.test(statement))
    .map(({ operationId }) => operationId);
  return [...new Set(claimed)].flatMap((operationId) =>
    state.operations.filter((one) => one.id === operationId && one.kind === 'authorize'),
  );
}

/** Checks that each authorisation before another one surely took no money, and was not refused for good. */
const judgeRetries = (asked: readonly OperationRow[]): readonly string[] =>
  asked.slice(0, -1).flatMap(({ id, status, error_code: code, unknown_at, accepted_at }) => {
    const isForGood = status === 'declined' && !RETRIABLE.has(code ?? '');
    const isSure = unknown_at === null && accepted_at === null && /^(declined|failed)$/.test(status);
    return isForGood || !isSure
      ? [`is retried after ${id}, which is ${status} with ${code ?? 'no code'}`]
      : [];
  });

const RETRIABLE: ReadonlySet<string> = new Set(retriableDeclines);

/** Checks that a refusal by a rule comes from a rule that refuses. */
function judgeRefusal({ requested, heard }: Exchange): readonly string[] {
  if (heard.kind !== 'refused' || !requested.payment) return [];
  if (!heard.refusals.includes('RefusedByRoutingRule')) return [];
  const { rules, currency } = requested.payment;
  const index = ruleOf({ rules: String(rules), amount: requested.amount ?? 0, currency });
  return DRAWN_RULES[index]?.ways === 'refuse' ? [] : [`a payment is refused by rule ${index + 1}`];
}
