import { retriableDeclines } from '../../src/connectors/codes/decline-codes.ts';
import { behindAt } from './circuits.ts';
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
    const isElsewhere = row.routing?.retries?.some((retry) => retry.rule !== row.routing?.rule);
    const asked =
      askedBy(row, evidence).length > 1 ? `, retried${isElsewhere ? ' by another rule' : ''}` : '';
    return [`${Array.isArray(rule.ways) ? (rule.ways.length > 1 ? 'split' : 'order') : 'positions'}${asked}`];
  });

type Asked = {
  readonly rules: string | undefined;
  readonly amount: number;
  readonly currency: Currency;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The outcome of the attempt before. Null at the first one. */
  readonly after: string | null;
};

/** Returns the index of the first drawn rule that holds, or -1. */
const ruleOf = ({ rules, amount, currency, attempt, after }: Asked): number =>
  DRAWN_RULES.findIndex(
    ({ of, min, max, currencies, others, attempts }) =>
      String(of) === rules &&
      amount >= min &&
      amount <= max &&
      (currencies === null || currencies.includes(currency) !== others) &&
      (attempts === null ||
        (attempt >= attempts.min &&
          attempt <= attempts.max &&
          (attempts.after === null || attempts.after === after))),
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
  const decided = [routing, ...(routing.retries ?? [])];
  return [
    ...retries,
    ...(routing.versionId === evidence.versions[merchant] ? [] : [`follows version ${routing.versionId}`]),
    ...(decided.length === Math.max(asked.length, 1) ? [] : [`has ${decided.length} decisions`]),
    ...decided.flatMap((decision, nth) => judgeDecision(row, { ...decision, nth }, asked, evidence)),
  ];
}

type Decided = { readonly nth: number; readonly rule: number | null; readonly draw: Draw | null };

/** Checks the rule of one attempt, and the service that the attempt asked. */
function judgeDecision(
  row: TransactionRow,
  { nth, rule, draw }: Decided,
  asked: readonly OperationRow[],
  evidence: Evidence,
): readonly string[] {
  const index = ruleOf({
    ...{ rules: row.metadata?.['rules'], amount: row.amount, currency: row.currency as Currency },
    ...{ attempt: nth + 1, after: asked[nth - 1]?.status ?? null },
  });
  const wanted = index === -1 ? null : index + 1;
  const services = asked.map(({ payment_service_id: service }) => service);
  return [
    ...(rule === wanted ? [] : [`follows rule ${rule ?? 'none'} of ${wanted ?? 'none'} at ${nth + 1}`]),
    ...judgeWay(row, { nth, draw, rule: DRAWN_RULES[index] }, services, evidence),
  ];
}

type RuledAttempt = {
  readonly nth: number;
  readonly draw: Draw | null;
  readonly rule: DrawnRule | undefined;
};

/**
 * Checks that an attempt asked the best service of its way. Circuits set services behind the others of the way. A retry may pass a service over, which the payment then asks at no
 * later attempt.
 */
function judgeWay(
  row: TransactionRow,
  { nth, draw, rule }: RuledAttempt,
  asked: readonly string[],
  { serviceOf }: Evidence,
): readonly string[] {
  if (rule?.ways === 'refuse') return [`has attempt ${nth + 1} against a rule that refuses`];
  const merchant = MERCHANTS.findIndex(({ id }) => id === row.merchant_account_id);
  const accepting = acceptingOf(row.currency as Currency, row.intent);
  const way = rule?.ways ? wayOf(rule.ways, draw) : null;
  if (rule?.ways && !way) return [`has the draw ${JSON.stringify(draw)} of a share`];
  const kinds = way ? inOrder(way, accepting) : accepting;
  const ordered = kinds.map((kind) => serviceOf(merchant, kind));
  const behind = behindAt(row, asked, nth);
  const services = [...ordered.filter((id) => !behind.has(id)), ...ordered.filter((id) => behind.has(id))];
  const [place = 0, ...later] = asked.slice(nth).map((service) => services.indexOf(service));
  const isBest = nth === 0 ? place === 0 : later.every((other) => other === -1 || other > place);
  return asked.length > nth && (place === -1 || !isBest)
    ? [`asks ${place} of ${kinds.join(', ')} at attempt ${nth + 1}, and later ${later.join(', ')}`]
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
  const index = ruleOf({
    ...{ rules: String(rules), amount: requested.amount ?? 0, currency, attempt: 1, after: null },
  });
  return DRAWN_RULES[index]?.ways === 'refuse' ? [] : [`a payment is refused by rule ${index + 1}`];
}
