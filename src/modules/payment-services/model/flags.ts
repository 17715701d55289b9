import type { Definition } from '../../../connectors/interface/definition.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';

/** The features that are switched on for a payment service. */
export type Flags = {
  readonly threeDSecureEnabled: boolean;
  readonly paymentMethodTokenizationEnabled: boolean;
  readonly networkTokensEnabled: boolean;
  readonly openLoop: boolean;
  readonly settlementReportingEnabled: boolean;
};

export type Flag = keyof Flags;

/** Null or left out: unchanged, or the definition's default for a new service. */
export type GivenFlags = { readonly [Name in Flag]?: boolean | null | undefined };

/**
 * Decides the flags of a service from its current ones (null for a new service), and the failures. A
 * failure points at the given flag: its own, or the openLoop that it contradicts.
 */
export function decideFlags(
  definition: Definition,
  given: GivenFlags,
  current: Flags | null,
): { readonly flags: Flags; readonly failures: readonly InvalidInput[] } {
  const features = definition.supportedFeatures;
  const openLoop = given.openLoop ?? current?.openLoop ?? features.open_loop;
  const ownWill = {
    networkTokensEnabled: openLoop && features.network_tokens_default,
    paymentMethodTokenizationEnabled: !openLoop && features.payment_method_tokenization,
  };
  const initially: Flags = {
    openLoop,
    ...ownWill,
    settlementReportingEnabled: false,
    threeDSecureEnabled: false,
  };
  const pick = (flag: Flag): boolean => given[flag] ?? current?.[flag] ?? initially[flag];
  const flags: Flags = {
    openLoop,
    networkTokensEnabled: pick('networkTokensEnabled'),
    paymentMethodTokenizationEnabled: pick('paymentMethodTokenizationEnabled'),
    settlementReportingEnabled: pick('settlementReportingEnabled'),
    threeDSecureEnabled: pick('threeDSecureEnabled'),
  };
  return { flags, failures: failuresOf({ features, given, flags, ownWill }) };
}

type Situation = {
  readonly features: Definition['supportedFeatures'];
  readonly given: GivenFlags;
  /** The flags after the change. */
  readonly flags: Flags;
  /** The flags that the definition alone would choose. */
  readonly ownWill: Pick<Flags, 'networkTokensEnabled' | 'paymentMethodTokenizationEnabled'>;
};

type Rule = {
  readonly flag: Flag;
  /** The flag to blame when the first was not given. */
  readonly orBlame?: Flag;
  readonly broken: (situation: Situation) => boolean;
  readonly message: string;
};

/** The rules in order. Only the first broken rule of a flag is reported. */
const RULES: readonly Rule[] = [
  {
    flag: 'openLoop',
    broken: ({ given, features }) => given.openLoop != null && !features.open_loop_toggle,
    message: 'The definition has no toggle for open loop. Omit openLoop.',
  },
  {
    flag: 'networkTokensEnabled',
    broken: ({ flags, features }) => flags.networkTokensEnabled && !features.network_tokens,
    message: 'The definition takes no network tokens. Omit networkTokensEnabled.',
  },
  {
    flag: 'networkTokensEnabled',
    broken: (situation) =>
      overrides(situation, 'networkTokensEnabled') && !situation.features.network_tokens_toggle,
    message: 'The definition has no toggle for network tokens. Omit networkTokensEnabled.',
  },
  {
    flag: 'networkTokensEnabled',
    orBlame: 'openLoop',
    broken: ({ flags }) => flags.networkTokensEnabled && !flags.openLoop,
    message: 'Only an open-loop service uses network tokens.',
  },
  {
    flag: 'paymentMethodTokenizationEnabled',
    orBlame: 'openLoop',
    broken: ({ flags }) => flags.paymentMethodTokenizationEnabled && flags.openLoop,
    message: 'An open-loop service does not store payment methods.',
  },
  {
    flag: 'paymentMethodTokenizationEnabled',
    broken: (situation) =>
      overrides(situation, 'paymentMethodTokenizationEnabled') &&
      !situation.features.payment_method_tokenization_toggle,
    message:
      'The definition has no toggle for payment method tokenization. Omit paymentMethodTokenizationEnabled.',
  },
  {
    flag: 'settlementReportingEnabled',
    broken: ({ flags, features }) => flags.settlementReportingEnabled && !features.settlement_reporting,
    message: 'The definition has no settlement reports.',
  },
  {
    flag: 'threeDSecureEnabled',
    broken: ({ flags, features }) => flags.threeDSecureEnabled && !features.three_d_secure_hosted,
    message: 'The definition does not support hosted 3-D Secure.',
  },
];

/** Tells whether a flag is given a value other than the definition's choice. The same value is harmless. */
const overrides = ({ given, ownWill }: Situation, flag: keyof Situation['ownWill']): boolean =>
  given[flag] != null && given[flag] !== ownWill[flag];

function failuresOf(situation: Situation): readonly InvalidInput[] {
  const failures = new Map<Flag, InvalidInput>();
  for (const { flag, orBlame, broken, message } of RULES) {
    const blamed = situation.given[flag] == null ? orBlame : flag;
    // A stored value that this input does not touch is not reported.
    if (blamed === undefined || situation.given[blamed] == null || failures.has(blamed)) continue;
    if (broken(situation)) failures.set(blamed, invalidInput(['input', blamed], message));
  }
  return [...failures.values()];
}
