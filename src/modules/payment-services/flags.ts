import type { Definition } from '../../connectors/definition.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';

/** What is switched on for a payment service. */
export type Flags = {
  readonly threeDSecureEnabled: boolean;
  readonly paymentMethodTokenizationEnabled: boolean;
  readonly networkTokensEnabled: boolean;
  readonly openLoop: boolean;
  readonly settlementReportingEnabled: boolean;
};

export type Flag = keyof Flags;

/** Null and left out are the same: as it was, or for a new service as the definition says. */
export type GivenFlags = { readonly [Name in Flag]?: boolean | null | undefined };

/**
 * The flags that a service would have, merged over its current ones (null for a new service), and why it may not
 * (facts 1.2). A failure points at the flag that was given: its own, or the openLoop that it contradicts.
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
  /** As they would be. */
  readonly flags: Flags;
  /** What the definition alone would choose. */
  readonly ownWill: Pick<Flags, 'networkTokensEnabled' | 'paymentMethodTokenizationEnabled'>;
};

type Rule = {
  readonly flag: Flag;
  /** The flag that breaks the rule when the first was not given. */
  readonly orBlame?: Flag;
  readonly broken: (situation: Situation) => boolean;
  readonly message: string;
};

/** The first rule that a flag breaks is the one that is told. */
const RULES: readonly Rule[] = [
  {
    flag: 'openLoop',
    broken: ({ given, features }) => given.openLoop != null && !features.open_loop_toggle,
    message: 'The definition has no toggle for open loop. Omit openLoop.',
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

/** Whether a flag is given another value than the definition chooses; the same value harms nobody. */
const overrides = ({ given, ownWill }: Situation, flag: keyof Situation['ownWill']): boolean =>
  given[flag] != null && given[flag] !== ownWill[flag];

function failuresOf(situation: Situation): readonly InvalidInput[] {
  const failures = new Map<Flag, InvalidInput>();
  for (const { flag, orBlame, broken, message } of RULES) {
    const blamed = situation.given[flag] == null ? orBlame : flag;
    // What was stored before and is not touched now is nobody's mistake now.
    if (blamed === undefined || situation.given[blamed] == null || failures.has(blamed)) continue;
    if (broken(situation)) failures.set(blamed, invalidInput(['input', blamed], message));
  }
  return [...failures.values()];
}
