import type { FieldInput } from '../../../client/generated/schema.ts';
import { Facts, type Fact } from '../../design/record/facts.tsx';
import { texts } from '../../texts/texts.ts';
import type { CredentialField } from './values.ts';

type CredentialFactsProps = {
  readonly fields: readonly CredentialField[];
  /** The stored values without the secrets. */
  readonly values: readonly FieldInput[];
  /** The address for the webhooks of the third party. */
  readonly webhook: Fact;
};

/** The credentials of a service without their secrets, and the address for webhooks. */
export function CredentialFacts({ fields, values, webhook }: CredentialFactsProps) {
  const { details } = texts.services;
  const shown = fields.map(({ key, displayName, secret }): Fact => [
    displayName,
    secret ? (
      <span className="quiet">{details.secret}</span>
    ) : (
      values.find((field) => field.key === key)?.value
    ),
  ]);
  return <Facts title={details.credentials} facts={[...shown, webhook]} />;
}
