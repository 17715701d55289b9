import { aimsAtChange, changingAt, drawChanges, type Changing } from './changes.ts';
import { aimAt, CRASH_PLACES, LATE_TURNS, MEETINGS, type Aim, type Theme, type Way } from './aims.ts';
import { judgedAt, type Judged } from './aims-of-fraud.ts';
import {
  describeAct,
  mayHavePage,
  type Act,
  type Create,
  type FollowUp,
  type FollowUpKind,
  type Responded,
} from './acts.ts';
import { ON_THE_WAY_THERE } from './faults.ts';
import { chainOf, JUDGED, REAL_PLACES, type Merchant, type RealPlace } from './harness.ts';
import { drawSpecials, drawTheme } from './specials.ts';
import { drawHand, handledAt, needsRefusals, type Handled } from './elsewhere/plan.ts';
import { newsAt, payBy, type News } from './news.ts';
import { realAt, SMALL_SKEWS_MS, withSmallSkews, type Kind } from './real/plan.ts';
import { createRandom, type Random } from './random.ts';
import { withRules } from './rules.ts';
import { addEndings, drawCheckFaults, drawVerdict } from './reviews.ts';
import { drawWeather, fairAtFirst, SKEWS_MS, type Weather } from './weather.ts';

/** Acts that start together, and the wait since the round before. */
export type Round = { readonly waitMs: number; readonly acts: readonly number[] };

/** The plan of a history: a pure function of seed and index. */
export type Plan = {
  readonly seed: number;
  readonly index: number;
  readonly weather: Weather;
  readonly acts: readonly Act[];
  readonly rounds: readonly Round[];
  /** The real provider of the history. Null: the sandbox's. */
  readonly real: RealPlace | null;
  /** True if the processes heed circuits, and some are open at the beginning. */
  readonly circuits?: boolean;
};

export const PROCESSES = 3;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Waits within a lease, beyond a lease, and beyond any late request. Some rare waits exceed the memory of a provider.
 */
const WAITS_MS: readonly (readonly [weight: number, ms: number])[] = [
  [6, 0],
  [2, 1_000],
  [2, 3_000],
  [3, 66_000],
  [2, 20 * MINUTE],
  [1, 2 * HOUR],
  [0.5, 5 * HOUR],
];

/** The first request, a repeat after all requests have surely arrived, and early and late look-ups. */
const SLOW_MS = [0, 2 * HOUR, 66_000, 2 * HOUR, 66_000];

/** Each wait exceeds the lease of the round before. */
const STEADY_MS = [0, 66_000, 66_000, 66_000];

/** The cancel begins at once, and no later act disturbs the payment. */
const HELD_UP_MS = [0];

/** Waits for disputes after the payments. */
const DISPUTING_MS = [66_000, 66_000, 2 * HOUR];

/** Waits until the end of the buyer's time. */
const LATE_MS = [20 * MINUTE, 66_000];

const STEADY: ReadonlySet<Way> = new Set(['stale', 'taken on', 'never left']);

const WAITS_OF: Readonly<Partial<Record<Way, readonly number[]>>> = { late: LATE_MS, 'held up': HELD_UP_MS };

/** Every such history without an aim has rules of routing. */
const RULED_EVERY = 9;

/**
 * Draws history `index` of a seed. Two of three have a place to die at, in turn, so that every place gets its
 * histories.
 *
 * The `kind` names the providers.
 */
export function makePlan(seed: number, index: number, kind: Kind = 'any'): Plan {
  if (kind === 'splits') return withSplits(makePlan(seed, index, 'sandbox'));
  const real = realAt(seed, index, kind);
  if (real) return drawPlan(createRandom(seed, index, 12), { seed, index, judged: null, ...real });
  const judged = judgedAt(seed, index);
  if (judged)
    return drawPlan(createRandom(seed, index, 3), { seed, index, aim: judged.aim, judged, news: null });
  const random = createRandom(seed, index, 1);
  const changing = changingAt(seed, index);
  if (changing)
    return drawPlan(random, { seed, index, aim: changing.aim, judged: null, news: null, changing });
  const handled = handledAt(seed, index);
  if (handled) return drawPlan(random, { seed, index, aim: null, judged: null, news: handled.news, handled });
  const news = newsAt(seed, index);
  if (news) return drawPlan(random, { seed, index, aim: null, judged: null, news });
  const turn = index - Math.ceil(index / 3);
  const place = index % 3 === 0 ? null : (CRASH_PLACES[turn % CRASH_PLACES.length] as string);
  const drawn = place !== null ? aimAt(place) : random.chance(0.35) ? random.pick(MEETINGS) : null;
  const aim = drawn ?? lateTurnAt(seed, index);
  const circuits = aim === null && (index % RULED_EVERY === 3 || index % (5 * RULED_EVERY) === 0);
  const plan = { ...drawPlan(random, { seed, index, aim, judged: null, news: null }), circuits };
  // Rules could lead a payment away from the place of an aim.
  if (aim || index % RULED_EVERY !== 0) return plan;
  const weather = (index / RULED_EVERY) % 4 !== 0 ? refusing(plan.weather) : plan.weather;
  return { ...plan, weather, acts: withRules(plan.acts, index / RULED_EVERY) };
}

/** Shares the money of each payment by card. A gift card pays into one account, and a share is at least 1. */
const withSplits = (plan: Plan): Plan => ({
  ...plan,
  acts: plan.acts.map((act) =>
    act.kind === 'create' && act.method === 'card' && act.giftCards === null && act.amount > 1
      ? { ...act, splits: true }
      : act,
  ),
});

/** Chooses further histories by randomness of their own. */
function lateTurnAt(seed: number, index: number): Aim | null {
  const random = createRandom(seed, index, 9);
  return random.chance(0.5) ? random.pick(LATE_TURNS) : null;
}

type Wanted = Pick<Plan, 'seed' | 'index'> & {
  readonly aim: Aim | null;
  readonly judged: Judged | null;
  readonly news: News | null;
  readonly changing?: Changing;
  readonly handled?: Handled;
};

function drawPlan(random: Random, { seed, index, aim, judged, news, changing, handled }: Wanted): Plan {
  const takings = aim === null && judged === null ? takingsAt(seed, index, news) : null;
  const disputes = news?.disputes ? createRandom(seed, index, 8) : null;
  const later = takings ?? disputes ?? handled?.random ?? null;
  const weatherDrawn = drawWeather(random, PROCESSES, aim);
  // Most of these payments go through, one step after another. So there is something to take back or to dispute.
  const gentle = later?.chance(0.7) ? { ...weatherDrawn, hurry: 0.004 } : weatherDrawn;
  const isLater = news?.isLater ?? false;
  const fair = isLater ? fairAtFirst(gentle) : gentle;
  const drawn = handled && needsRefusals(handled) ? refusing(fair) : fair;
  const themeDrawn = drawTheme(random, aim);
  const theme = later?.chance(0.7) || isLater ? 'plain' : themeDrawn;
  const drawing = createDrawing(random, index, { aim, theme, judged, news });
  drawing.round(0, () => {
    for (let left = random.chance(0.3) ? 2 : 1; left > 0; left -= 1) drawing.add(drawCreate(drawing));
  });
  const isOfChange = aimsAtChange(aim);
  // A payment at PayPal or Mollie holds nothing before its buyer has decided.
  if (news?.means === 'paypal' || news?.means === 'mollie')
    drawing.round(2_000, () => addWords(drawing, true));
  const isSlow = aim?.way === 'slow';
  const isUnresolved = isSlow || ((aim?.way === 'again' || aim?.way === 'asked') && random.chance(0.5));
  const isSteady = isUnresolved || (aim !== null && STEADY.has(aim.way));
  const drawnWaits = Array.from({ length: random.int(2, 4) }, () => random.weighted(WAITS_MS));
  const free = disputes ? [...drawnWaits, ...DISPUTING_MS] : drawnWaits;
  const waits = isUnresolved ? SLOW_MS : isSteady ? STEADY_MS : (aim && WAITS_OF[aim.way]) || free;
  // Only an authorised payment changes. So a reconciliation ends an undecided authorisation before.
  if (isOfChange) drawing.round(20 * MINUTE, () => drawing.add({ kind: 'reconcile' }));
  for (const [number, waitMs] of (isOfChange ? [20 * MINUTE, ...waits] : waits).entries()) {
    // The provider may have refused the first change of an authorisation.
    const isWanted = number < (isOfChange ? 2 : isLater ? 3 : 1);
    drawing.round(waitMs, () => {
      // The sweeper would run in that time.
      if (waitMs > 0 && (isSteady || random.chance(0.4))) drawing.add({ kind: 'reconcile' });
      if (aim?.way === 'relay') drawing.add({ kind: 'relay' });
      if (aim && isWanted) addWanted(drawing, aim);
      addWords(drawing, isWanted);
      if (judged) addEndings(drawing, judged, isWanted);
      if (takings) addTakings(drawing, takings, isLater && isWanted);
      if (changing && !(aim && isWanted)) addChanges(drawing, changing.random);
      if (handled) addHand(drawing, handled, isLater && isWanted);
      if (disputes) addDisputes(drawing, disputes, isLater && isWanted);
      if (later?.chance(0.6) || (isLater && isWanted)) return;
      // Mostly alone, so that no other act comes first.
      if (isUnresolved || (aim && isWanted && (aim.way !== 'straight' || isOfChange || random.chance(0.6))))
        return;
      if (random.chance(0.3)) stampede(drawing);
      else for (let count = random.int(1, 3); count > 0; count -= 1) addAct(drawing);
    });
  }
  const ofChecks = judged ? drawCheckFaults(random, judged) : 0;
  const fault = { ...drawn.fault, check: ofChecks };
  const report = news?.report ?? 0;
  const crashAt = news ? news.place : drawn.crashAt;
  const real = REAL_PLACES.find((place) => place === news?.means) ?? null;
  const weather = {
    ...(real ? withSmallSkews(drawn) : drawn),
    fault,
    report,
    crashAt,
    ...(isUnresolved && !isSlow && !isOfChange && { faults: ON_THE_WAY_THERE }),
  };
  return { seed, index, weather, acts: drawing.acts, rounds: drawing.rounds, real };
}

/** The weather in which providers refuse many payments. */
const refusing = (weather: Weather): Weather => ({
  ...weather,
  refuse: { ...weather.refuse, authorize: 0.7 },
});

/** Returns the randomness of a history whose providers take successes back. Null for other histories. */
function takingsAt(seed: number, index: number, news: News | null): Random | null {
  const random = createRandom(seed, index, 5);
  if (news) return news.takesBack ? random : null;
  return index % 3 === 0 && random.chance(0.6) ? random : null;
}

/**
 * Adds successes that the providers take back, and captures and refunds that they can take back later. When one is
 * wanted, there is something to take back.
 */
function addTakings(drawing: Drawing, random: Random, isWanted: boolean): void {
  for (let count = random.int(isWanted ? 1 : 0, 3); count > 0; count -= 1) {
    const what = random.pick(['capture', 'capture', 'refund', 'refund', 'authorization'] as const);
    const share = random.pick([null, null, 1, 0.5, 0.3]);
    drawing.add({ kind: 'take back', what, share, times: random.chance(0.5) ? 2 : 1 });
  }
  const of = random.pick(drawing.payments());
  addEarlierCapture(drawing, random, { of, isWanted });
  if (random.chance(0.6)) drawing.add(drawFollowUp(drawing, 'refund', of, 0.3));
  if (random.chance(0.5)) drawing.add({ kind: 'hear' });
}

/** Adds acts of a hand at the provider, and captures and refunds of ours beside them. */
function addHand(drawing: Drawing, { random, ...handled }: Handled, isWanted: boolean): void {
  const of = random.pick(drawing.payments());
  if (random.chance(0.5)) addEarlierCapture(drawing, random, { of, isWanted: false });
  drawing.acts.push(...drawHand({ random, ...handled }));
  if (random.chance(0.4)) drawing.add(drawFollowUp(drawing, 'refund', of, random.pick([null, 0.3])));
  if (isWanted || random.chance(0.4)) drawing.add({ kind: 'hear' });
  if (random.chance(0.5)) drawing.add({ kind: 'sweep' });
}

/** Adds changes of authorisations. The acts of a planned death come before them. */
function addChanges({ acts, create, key, payments }: Drawing, random: Random): void {
  const pay = () => {
    const of = random.pick(payments());
    const { amount, merchant } = create(of);
    return { of, amount, key: key(merchant) };
  };
  acts.push(...drawChanges(random, pay));
}

/**
 * Adds disputes, the merchant's responses, and captures and refunds of disputed payments. When one is wanted, the
 * first payment is captured, disputed and answered in turn.
 */
function addDisputes(drawing: Drawing, random: Random, isWanted: boolean): void {
  const { news } = drawing;
  const of = isWanted ? 0 : random.pick(drawing.payments());
  addEarlierCapture(drawing, random, { of, isWanted });
  for (let count = isWanted ? 1 : random.int(0, 3); count > 0; count -= 1)
    drawing.add({ kind: 'dispute', times: random.chance(0.3) ? 2 : 1 });
  const isAcceptance = news?.place?.endsWith('accept_dispute') ?? false;
  const by = (): Responded['by'] =>
    isWanted && isAcceptance ? 'acceptance' : random.pick(['acceptance', 'evidence', 'evidence'] as const);
  for (let count = random.int(1, 3); count > 0; count -= 1) drawing.add({ kind: 'respond', of, by: by() });
  if (random.chance(0.4)) drawing.add(drawFollowUp(drawing, 'refund', of, 0.3));
  if (isWanted || random.chance(0.4)) drawing.add({ kind: 'hear' });
  if (isWanted || random.chance(0.4)) drawing.add({ kind: 'send responses' });
}

/** Adds the capture of an authorised payment, mostly. A wanted one comes surely, from the payment's own merchant. */
function addEarlierCapture(drawing: Drawing, random: Random, { of, isWanted }: EarlierCapture): void {
  const capture = drawFollowUp(drawing, 'capture', of, random.pick([null, 0.4]));
  if (drawing.create(of).intent === 'capture' || !(isWanted || random.chance(0.8))) return;
  drawing.add({ ...capture, final: random.chance(0.3), ...(isWanted && { stranger: false }) });
}

type EarlierCapture = { readonly of: number; readonly isWanted: boolean };

type Undirected = Act extends infer One ? (One extends Act ? Omit<One, 'process'> : never) : never;

/** A plan during its drawing. */
export type Drawing = {
  readonly random: Random;
  readonly aim: Aim | null;
  readonly theme: Theme;
  /** Null without anti-fraud checks. */
  readonly judged: Judged | null;
  /** Null when the providers send no webhooks about their decisions. */
  readonly news: News | null;
  readonly acts: Act[];
  readonly rounds: Round[];
  readonly add: (act: Undirected) => void;
  readonly round: (waitMs: number, draw: () => void) => void;
  /** Returns the next key of a merchant. Another merchant has the same key. Null means a request without a key. */
  readonly key: (merchant: Merchant) => string | null;
  /** Returns the numbers of the create acts. */
  readonly payments: () => readonly number[];
  readonly create: (number: number) => Create;
};

type Drawn = Pick<Drawing, 'aim' | 'theme' | 'judged' | 'news'>;

function createDrawing(random: Random, index: number, drawn: Drawn): Drawing {
  const acts: Act[] = [];
  const rounds: Round[] = [];
  const keys = [0, 0, 0];
  return {
    random,
    ...drawn,
    acts,
    rounds,
    // The caller has drawn the other fields of the act.
    add: (act) => void acts.push({ process: random.int(0, PROCESSES - 1), ...act }),
    round: (waitMs, draw) => {
      const from = acts.length;
      draw();
      rounds.push({ waitMs, acts: acts.slice(from).map((_, position) => from + position) });
    },
    key: (merchant) => {
      const number = (keys[merchant] ?? 0) + 1;
      keys[merchant] = number;
      return random.chance(0.85) ? `h${index}-${number}` : null;
    },
    payments: () => acts.flatMap((act, number) => (act.kind === 'create' ? [number] : [])),
    create: (number) => acts[number] as Create & { readonly process: number },
  };
}

function drawCreate({ random, aim, theme, judged, news, key }: Drawing): Create {
  const merchant = judged ? JUDGED : merchantFor(random, aim);
  // Only captured money is disputed.
  const asked = news
    ? { ...(news.isLater && news.disputes && { intent: 'capture' as const }), ...payBy(random, news.means) }
    : {};
  const drawn = asked.intent ?? random.pick(['authorize', 'capture'] as const);
  const intent = aim && !judged ? intentFor(random, aim) : drawn;
  const isRequested = aim === null && random.chance(0.1);
  const amount = random.weighted([
    [8, 100],
    [8, 1_000],
    [8, 1_299],
    [aim || drawn === 'capture' ? 0 : 1, 0],
  ]);
  const verdict = judged && drawVerdict(random, judged);
  const specials = drawSpecials(random, { aim, theme, amount, isJudged: judged !== null });
  const { currency } = specials;
  return {
    kind: 'create',
    ...{ merchant, intent, amount, ...specials, verdict },
    requested:
      isRequested && specials.method !== 'nobody' ? random.int(0, chainOf(currency).length - 1) : null,
    ...asked,
    key: key(merchant),
  };
}

/** Chooses the merchant. Only the first merchant's gift cards are retried without help. */
const merchantFor = (random: Random, aim: Aim | null): Merchant =>
  aim?.way === 'again' && /redeem/.test(aim.verb) ? 0 : random.pick([0, 1] as const);

/** Chooses the intent that the aim's verb needs. */
function intentFor(random: Random, { verb, way, theme }: Aim): Create['intent'] {
  if (verb === 'refund' || (verb === 'authorize' && way === 'accepted')) return 'capture';
  return theme === 'plain' || /increase|reauthorize|capture|void/.test(verb)
    ? 'authorize'
    : random.pick(['authorize', 'capture']);
}

/** Adds the act that leads to the aim's place. */
function addWanted(drawing: Drawing, aim: Aim): void {
  const { verb, way } = aim;
  const { random } = drawing;
  if (way === 'sync') drawing.add({ kind: 'sync', of: 0, stranger: false });
  if (way === 'late') drawing.add({ kind: 'expire' });
  if (verb !== 'authorize' && verb !== 'redeem' && verb !== 'unredeem')
    drawing.add({
      ...drawFollowUp(drawing, verb, 0, random.pick([null, 0.3, 1])),
      ...(aimsAtChange(aim) && { stranger: false }),
    });
  else if (way === 'again' || way === 'asked') drawing.add({ kind: 'reconcile' });
}

/**
 * Adds the buyers' decisions: most decide once, some twice at the same time, some never. The time of the others ends.
 */
function addWords(drawing: Drawing, isFirst: boolean): void {
  const { random, aim } = drawing;
  const pages = drawing.payments().filter((number) => mayHavePage(drawing.create(number)));
  for (const of of pages) {
    if (!random.chance(aim && isFirst ? 0.9 : 0.5)) continue;
    for (let words = random.chance(0.3) || aim?.way === 'late' ? 2 : 1; words > 0; words -= 1) {
      const isUndecided =
        /away|client|paypal|card-page/.test(drawing.create(of).method) && random.chance(0.15);
      const reported = isUndecided ? 'nothing' : random.chance(0.75) ? 'approved' : 'refused';
      drawing.add({ kind: 'buyer', of, reported, first: random.chance(0.15) });
    }
  }
  if (pages.length > 0 && random.chance(0.3)) drawing.add({ kind: 'expire' });
}

function addAct(drawing: Drawing): void {
  const { random, acts } = drawing;
  const keyed = acts.flatMap((act, number) => ('key' in act && act.key !== null ? [number] : []));
  const of = random.pick(drawing.payments());
  const kind = random.weighted([
    [8, 'money'],
    [keyed.length > 0 ? 3 : 0, 'repeat'],
    [keyed.length > 0 ? 1 : 0, 'change'],
    [1.5, 'reconcile'],
    [1, 'relay'],
    [1, 'sync'],
    [0.4, 'skew'],
    [0.4, 'create'],
  ] as const);
  if (kind === 'repeat' || kind === 'change') return drawing.add({ kind, act: random.pick(keyed) });
  if (kind === 'skew')
    return drawing.add({ kind, ms: random.pick(drawing.create(0).card ? SMALL_SKEWS_MS : SKEWS_MS) });
  if (kind === 'sync') return drawing.add({ kind, of, stranger: random.chance(0.1) });
  if (kind === 'create') return drawing.add(drawCreate(drawing));
  if (kind === 'reconcile' || kind === 'relay') return drawing.add({ kind });
  drawing.add(drawFollowUp(drawing, drawKind(drawing, of), of, drawShare(random)));
}

/** Draws a verb, mostly one that may succeed by now, sometimes one that is too early or too late. */
function drawKind({ random, acts, create }: Drawing, of: number): FollowUpKind {
  const { intent, verdict } = create(of);
  const captured =
    (intent === 'capture' && verdict !== 'review') ||
    acts.some((act) => act.kind === 'capture' && act.of === of);
  return captured
    ? random.weighted([
        [3, 'capture'],
        [8, 'refund'],
        [1, 'void'],
        [1, 'cancel'],
      ])
    : random.weighted([
        [5, 'capture'],
        [1, 'refund'],
        [2, 'void'],
        [2, 'cancel'],
      ]);
}

/** Draws a follow-up. `share` is a share of the payment's amount. Null means the whole rest. */
function drawFollowUp(
  { random, key, create, aim }: Drawing,
  kind: FollowUpKind,
  of: number,
  share: number | null,
): FollowUp {
  const { amount: whole, merchant, giftCards } = create(of);
  const part = kind === 'increase' ? (share ?? 0.2) : share;
  const hasAmount = kind === 'capture' || kind === 'refund' || kind === 'increase';
  const amount = !hasAmount || part === null ? null : Math.max(1, Math.round(whole * part));
  const final = kind !== 'capture' || random.chance(0.5);
  const mayBeToAll = kind === 'refund' && giftCards !== null;
  const toAll = mayBeToAll && random.chance(aim?.verb === 'refund' ? 0.9 : 0.6);
  return { kind, of, amount, final, toAll, key: key(merchant), stranger: random.chance(0.04) };
}

/** Draws a share: the rest, everything, parts that fit once or several times, or too much. */
const drawShare = (random: Random): number | null =>
  random.weighted([
    [3, null],
    [3, 1],
    [6, 0.6],
    [3, 0.5],
    [6, 0.3],
    [3, 0.1],
    [1, 1.01],
    [1, 1.1],
  ]);

/** Adds several acts of one kind at once on one transaction, as in published races. */
function stampede(drawing: Drawing): void {
  const { random } = drawing;
  const of = random.pick(drawing.payments());
  const kind = drawKind(drawing, of);
  const share = drawShare(random);
  for (let count = random.int(2, 4); count > 0; count -= 1)
    drawing.add(drawFollowUp(drawing, kind, of, share));
  const rivals: Readonly<Record<FollowUpKind, FollowUpKind>> = {
    ...{ increase: 'void', reauthorize: 'void' },
    ...{ capture: 'void', void: 'capture', cancel: 'capture', refund: 'capture' },
  };
  if (random.chance(0.4)) drawing.add(drawFollowUp(drawing, rivals[kind], of, drawShare(random)));
}

/** Describes a plan in lines. */
export function describePlan({ seed, index, weather, acts, rounds }: Plan): string[] {
  return [
    `seed ${seed}, history ${index}, weather ${JSON.stringify(weather)}`,
    ...rounds.flatMap(({ waitMs, acts: numbers }, round) => [
      `round ${round} after ${waitMs} ms`,
      ...numbers.map((number) => `  #${number} ${describeAct(acts[number] as Act)}`),
    ]),
  ];
}
