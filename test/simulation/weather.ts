import { GIFT_CARD_VERBS, VERBS, type Aim, type AnyVerb } from './aims.ts';
import { FAULT_MOODS, FAULTS, type Fault } from './faults.ts';
import type { Random } from './random.ts';

type PerVerb = Readonly<Record<AnyVerb, number>>;

/** How likely what goes wrong is in one history, each time that it could. */
export type Weather = {
  /** A process dies at a point. */
  readonly crash: number;
  /** The place at which the first process that comes to it dies. */
  readonly crashAt: string | null;
  /** A driver stands still at a point. */
  readonly pause: number;
  /** It stands still for long right before a call of the provider. */
  readonly stall: number;
  /** A statement fails, before or after its commit. */
  readonly disconnect: number;
  /** Two statements overlap in the database. */
  readonly overlap: number;
  /** A call of the provider goes wrong. */
  readonly fault: PerVerb & { readonly status: number; readonly check: number };
  /** What it then is. */
  readonly faults: readonly Fault[];
  /** The provider says no. */
  readonly refuse: PerVerb;
  /** The provider takes on what it is asked, and decides later. */
  readonly accept: PerVerb;
  /** How long what was done cannot be found by a look-up yet. */
  readonly lagMs: number;
  /** A round begins before the one before it has come to rest, each turn. */
  readonly hurry: number;
  /** By how much the clock of each process is wrong. */
  readonly skewsMs: readonly number[];
};

const MINUTE = 60_000;
export const SKEWS_MS = [0, 0, 0, 500, -500, 20_000, -20_000, 10 * MINUTE, -10 * MINUTE];

/** Draws the weather of a history; an aim bends it so that somebody comes to its place. */
export function drawWeather(random: Random, processes: number, aim: Aim | null): Weather {
  const fault = random.pick([0, 0.15, 0.4]);
  const refuse = random.pick([0, 0.1, 0.4]);
  const weather = {
    crash: random.pick([0, 0.005, 0.015, 0.04]),
    crashAt: aim?.place ?? null,
    pause: random.pick([0, 0.02, 0.06]),
    stall: 0,
    disconnect: random.pick([0, 0, 0.01, 0.04]),
    overlap: random.pick([0, 0.3, 0.8]),
    fault: { ...everywhere(fault), status: fault, check: 0 },
    faults: random.pick(FAULT_MOODS),
    // A refused payment ends its history early, so that is rarer.
    refuse: { ...everywhere(refuse), authorize: refuse / 3, redeem: refuse / 3, unredeem: refuse / 6 },
    accept: everywhere(random.pick([0, 0, 0.15, 0.4])),
    lagMs: random.pick([0, 0, 30_000]),
    hurry: random.pick([0.004, 0.05, 0.2]),
    skewsMs: Array.from({ length: processes }, () => random.pick(SKEWS_MS)),
  };
  return aim ? bend(weather, aim) : weather;
}

const everywhere = (chance: number): PerVerb =>
  Object.fromEntries([...VERBS, ...GIFT_CARD_VERBS].map((verb) => [verb, chance])) as Record<AnyVerb, number>;

/** Whatever comes before the aim's verb goes well, and the verb itself goes the aim's way. */
function bend(weather: Weather, { verb, way }: Aim): Weather {
  const isOvertaken = way === 'overtaken';
  const well = (given: PerVerb): PerVerb => ({ ...given, authorize: 0, redeem: 0, [verb]: 0 });
  const bent = {
    ...weather,
    crash: weather.crash / 4,
    disconnect: weather.disconnect / 4,
    fault: { ...weather.fault, ...well(weather.fault) },
    // Nothing is given back of what does not end in vain.
    refuse: { ...well(weather.refuse), authorize: isOvertaken ? 0.5 : verb === 'unredeem' ? 0.95 : 0 },
    // What can still be cancelled is not decided yet.
    accept: { ...well(weather.accept), authorize: verb === 'cancel' && !isOvertaken ? 0.95 : 0 },
    // What follows a payment begins when that is done.
    hurry: isOvertaken ? 0.25 : verb === 'authorize' ? weather.hurry : 0.004,
    stall: way === 'stale' || way === 'taken on' ? 0.5 : 0,
  };
  const likely = <Given extends PerVerb>(given: Given): Given => ({ ...given, [verb]: 0.9 });
  switch (way) {
    case 'accepted':
      return { ...bent, accept: likely(bent.accept) };
    case 'asked':
      return { ...bent, fault: likely(bent.fault) };
    case 'again':
    case 'hand':
    case 'stale':
      return { ...bent, fault: likely(bent.fault) };
    case 'taken on':
      // Whoever takes it up meanwhile learns nothing, or that it is taken on.
      return {
        ...bent,
        fault: { ...bent.fault, [verb]: 0.7 },
        accept: { ...bent.accept, [verb]: 0.4 },
      };
    case 'reroute':
    case 'refused':
      return { ...bent, refuse: likely(bent.refuse) };
    default:
      return bent;
  }
}

const NO_FAULT: Weather['fault'] = { ...everywhere(0), status: 0, check: 0 };

/** Nothing goes wrong any more; one process may still die where it was meant to. */
export const calmed = (weather: Weather): Weather => ({
  ...weather,
  crash: 0,
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
  pause: 0,
  stall: 0,
  disconnect: 0,
  overlap: 0,
  fault: NO_FAULT,
  faults: FAULTS,
  refuse: everywhere(0),
  accept: everywhere(0),
  lagMs: 0,
  hurry: 0,
  skewsMs: [],
});
