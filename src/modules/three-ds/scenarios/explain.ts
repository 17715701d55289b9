import type { App, Viewer } from '../../../app.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { cardFacts } from '../../payment-methods/index.ts';
import { paymentCard } from '../card.ts';
import { decideThreeDS, type ConditionName, type ThreeDSDecision } from '../decide.ts';
import { explainInput, type ExplainThreeDSScenarioInput } from '../input/scenario.ts';
import { authenticationOf, type Authenticated } from '../outcome.ts';
import { refusedInProduction, type SandboxOnly } from '../sandbox.ts';
import type { ThreeDSScenario } from '../scenario.ts';
import { readScenarios } from '../store.ts';

/** The explanation of a payment's authentication. Holds no card number. */
export type ThreeDSExplanation = {
  readonly source: ThreeDSDecision<ThreeDSScenario>['source'];
  readonly scenario: ThreeDSScenario | null;
  readonly outcome: ThreeDSDecision<ThreeDSScenario>['outcome'];
  /** The authentication data of the outcome. Null without an outcome. */
  readonly authenticated: Authenticated | null;
  readonly passedOver: readonly {
    readonly scenario: ThreeDSScenario;
    readonly unmet: readonly { readonly condition: ConditionName; readonly message: string }[];
  }[];
};

/**
 * Tries a payment on the merchant account's scenarios by the same rule as real payments. Refused in production. Reads
 * one snapshot and changes nothing.
 */
export async function explainThreeDSScenario(
  app: App,
  { merchantAccountId }: Viewer,
  input: ExplainThreeDSScenarioInput,
): Promise<Result<ThreeDSExplanation, SandboxOnly | InvalidInput>> {
  const refused = refusedInProduction(app);
  if (refused) return refused;
  const parsed = parseInput(explainInput, input);
  if (!parsed.ok) return parsed;
  const { cardNumber, ...payment } = parsed.value;
  const scenarios = await readScenarios(app.db, merchantAccountId);
  const card =
    cardNumber === null ? null : await paymentCard(app.vault, merchantAccountId, cardNumber, scenarios);
  const { source, scenario, outcome, passedOver } = decideThreeDS(scenarios, { ...payment, card });
  const scheme = cardNumber === null ? null : cardFacts(cardNumber).scheme;
  return ok({
    source,
    scenario,
    outcome,
    authenticated: outcome && authenticationOf(outcome, scheme),
    passedOver: passedOver.map((rule) => ({
      scenario: rule.scenario,
      unmet: rule.unmet.map((condition) => ({ condition, message: SENTENCES[condition] })),
    })),
  });
}

const SENTENCES = {
  first_name: "The buyer's first name is another one, or not given.",
  last_name: "The buyer's last name is another one, or not given.",
  email_address: "The buyer's e-mail address is another one, or not given.",
  amount: 'The amount is another one, or not given.',
  external_identifier: 'The external identifier is another one, or not given.',
  card_number: 'The card has another number, is not of the BIN, or there is none.',
} as const satisfies Record<ConditionName, string>;
