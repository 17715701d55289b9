import type { ReactNode } from 'react';
import type { AntiFraudDecision } from '../../../client/generated/schema.ts';
import { Card } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import { Decision } from './decision.tsx';
import { SANDBOX_ANSWERS } from './sandbox-answers.ts';

const { sandbox: words, effect } = texts.antiFraud;

type DefinedService = { readonly antiFraudServiceDefinitionId: string };

/** Tells whether the sandbox decides for a service. */
export const isSandbox = ({ antiFraudServiceDefinitionId }: DefinedService): boolean =>
  antiFraudServiceDefinitionId === 'mock-anti-fraud';

/** The addresses of buyers that lead to each decision of the sandbox. */
export function SandboxDecisions() {
  return (
    <Card look="sums decisions" title={words.title}>
      <p className="card-note">{words.text}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.address}</th>
            <th scope="col">{words.decision}</th>
          </tr>
        </thead>
        <tbody>
          {SANDBOX_ANSWERS.map(([name, decision]) => (
            <Line key={name} address={<Address name={name} />} decision={decision} />
          ))}
          <Line address={words.other} decision="ACCEPT" />
          <Line address={words.none} decision="SKIPPED" />
        </tbody>
      </table>
    </Card>
  );
}

/** An address that breaks before its domain on a narrow screen. */
const Address = ({ name }: { readonly name: string }) => (
  <code dir="ltr">
    {name}
    <wbr />
    @example.com
  </code>
);

type LineProps = {
  readonly address: ReactNode;
  readonly decision: AntiFraudDecision;
};

const Line = ({ address, decision }: LineProps) => (
  <tr>
    <th scope="row">{address}</th>
    <td>
      <div className="decision">
        <Decision of={decision} />
        <span className="quiet">{effect[decision]}</span>
      </div>
    </td>
  </tr>
);
