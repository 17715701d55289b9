import { CHANGES, GIFT_CARD_VERBS, VERBS, type Aim, type AnyVerb } from './aims.ts';
import { FAULT_MOODS, FAULTS, WITHOUT_ANSWER, type Fault } from './faults.ts';
import type { Random } from './random.ts';

type PerVerb = Readonly<Record<AnyVerb, number>>;

/** The probabilities of all faults in one history, for each opportunity. */
export type Weather = {
  /** A process dies at a point. */
  readonly crash: number;
  /** The place at which the first process to arrive dies. */
  readonly crashAt: string | null;
  /** The place at which processes stand still so often, while other acts begin. Null means no such place. */
  readonly standAt: { readonly place: string; readonly times: number } | null;
  /** A driver pauses at a point. */
  readonly pause: number;
  /** A driver pauses for long right before a call of the provider. */
  readonly stall: number;
  /** A statement fails, before or after its commit. */
  readonly disconnect: number;
  /** Two statements overlap in the database. */
  readonly overlap: number;
  /** A call of the provider has a fault. */
  readonly fault: PerVerb & { readonly status: number; readonly check: number };
  /** The possible faults. */
  readonly faults: readonly Fault[];
  /** The provider declines. */
  readonly refuse: PerVerb;
  /** The provider accepts a request and decides later. */
  readonly accept: PerVerb;
  /** A provider reports a decision by a webhook. */
  readonly report: number;
  /** The time before a look-up can find finished work. */
  readonly lagMs: number;
  /** In each turn, a round starts before the end of the one before. */
  readonly hurry: number;
  /** The error of each process's clock. */
  readonly skewsMs: readonly number[];
};

const MINUTE = 60_000;
export const SKEWS_MS = [0, 0, 0, 500, -500, 20_000, -20_000, 10 * MINUTE, -10 * MINUTE];

/** Draws the weather of a history. An aim changes the weather so that some process reaches its place. */
export function drawWeather(random: Random, processes: number, aim: Aim | null): Weather {
  const fault = random.pick([0, 0.15, 0.4]);
  const refuse = random.pick([0, 0.1, 0.4]);
  const weather = {
    crash: random.pick([0, 0.005, 0.015, 0.04]),
    crashAt: aim?.place ?? null,
    standAt: null,
    pause: random.pick([0, 0.02, 0.06]),
    stall: 0,
    disconnect: random.pick([0, 0, 0.01, 0.04]),
    overlap: random.pick([0, 0.3, 0.8]),
    fault: { ...everywhere(fault), status: fault, check: 0 },
    faults: random.pick(FAULT_MOODS),
    // A declined payment ends its history early, so declines of authorisations are rarer.
    refuse: { ...everywhere(refuse), authorize: refuse / 3, redeem: refuse / 3, unredeem: refuse / 6 },
    accept: everywhere(random.pick([0, 0, 0.15, 0.4])),
    report: 0,
    lagMs: random.pick([0, 0, 30_000]),
    hurry: random.pick([0.004, 0.05, 0.2]),
    skewsMs: Array.from({ length: processes }, () => random.pick(SKEWS_MS)),
  };
  return aim ? bend(weather, aim) : weather;
}

const everywhere = (chance: number): PerVerb =>
  Object.fromEntries([...VERBS, ...CHANGES, ...GIFT_CARD_VERBS].map((verb) => [verb, chance])) as Record<
    AnyVerb,
    number
  >;

/** Removes faults before the aim's verb, and makes the verb take the aim's way. */
function bend(weather: Weather, { verb, way }: Aim): Weather {
  const isOvertaken = way === 'overtaken';
  const well = (given: PerVerb): PerVerb => ({ ...given, authorize: 0, redeem: 0, [verb]: 0 });
  const bent = {
    ...weather,
    crash: weather.crash / 4,
    disconnect: weather.disconnect / 4,
    fault: { ...weather.fault, ...well(weather.fault) },
    // A payment that succeeds has no reversals.
    refuse: { ...well(weather.refuse), authorize: isOvertaken ? 0.5 : verb === 'unredeem' ? 0.95 : 0 },
    // A payment that can still be cancelled is undecided.
    accept: { ...well(weather.accept), authorize: verb === 'cancel' && !isOvertaken ? 0.95 : 0 },
    // Follow-ups of a payment start after its end.
    hurry: isOvertaken ? 0.25 : verb === 'authorize' ? weather.hurry : 0.004,
    stall: way === 'stale' || way === 'taken on' ? 0.5 : 0,
  };
  const likely = <Given extends PerVerb>(given: Given): Given => ({ ...given, [verb]: 0.9 });
  switch (way) {
    case 'accepted':
      return { ...bent, accept: likely(bent.accept) };
    case 'asked':
    case 'again':
      return {
        ...bent,
        fault: likely(bent.fault),
        ...(CHANGES.some((one) => one === verb) && { faults: WITHOUT_ANSWER }),
      };
    case 'hand':
    case 'stale':
      return { ...bent, fault: likely(bent.fault) };
    case 'taken on':
      // A process that claims the operation meanwhile finds nothing, or a pending decision.
      return {
        ...bent,
        fault: { ...bent.fault, [verb]: 0.7 },
        accept: { ...bent.accept, [verb]: 0.4 },
      };
    case 'held up':
      // The cancel stays undecided until the payment has moved on.
      return {
        ...bent,
        standAt: { place: 'at authorize.rerouting', times: 5 },
        refuse: { ...bent.refuse, authorize: 0.95 },
        accept: { ...likely(bent.accept), authorize: 0 },
      };
    case 'never left':
      return {
        ...bent,
        standAt: { place: `at ${verb}.called`, times: 5 },
        fault: likely(bent.fault),
        faults: ['connection refused'],
      };
    case 'slow':
      return {
        ...bent,
        fault: { ...likely(bent.fault), status: 0 },
        faults: ['request lost', 'late: work after our deadline'],
      };
    case 'reroute':
    case 'refused':
      return { ...bent, refuse: likely(bent.refuse) };
    default:
      return bent;
  }
}

/** The weather of a history whose place comes after a payment that goes through. */
export const fairAtFirst = (weather: Weather): Weather => ({
  ...weather,
  crash: 0,
  disconnect: weather.disconnect / 4,
  fault: { ...weather.fault, ...everywhere(0) },
  refuse: everywhere(0),
  accept: everywhere(0),
  hurry: 0.004,
});

/** The weather after a process has stood still once. Later requests arrive, and the next service approves. */
export const afterStanding = ({ refuse, standAt, ...weather }: Weather): Weather => ({
  ...weather,
  faults: ['answer lost'],
  refuse: { ...refuse, authorize: 0 },
  standAt: standAt && standAt.times > 1 ? { ...standAt, times: standAt.times - 1 } : null,
});

const NO_FAULT: Weather['fault'] = { ...everywhere(0), status: 0, check: 0 };

/** Ends all faults. One process may still die at its planned place. */
export const calmed = (weather: Weather): Weather => ({
  ...weather,
  crash: 0,
  standAt: null,
  pause: 0,
  stall: 0,
  disconnect: 0,
  overlap: 0,
  fault: NO_FAULT,
});

/** The weather between histories. */
export const CALM: Weather = calmed({
  crash: 0,
  crashAt: null,
  standAt: null,
  pause: 0,
  stall: 0,
  disconnect: 0,
  overlap: 0,
  fault: NO_FAULT,
  faults: FAULTS,
  refuse: everywhere(0),
  accept: everywhere(0),
  report: 0,
  lagMs: 0,
  hurry: 0,
  skewsMs: [],
});
