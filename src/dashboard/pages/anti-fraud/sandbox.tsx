import type { AntiFraudDecision } from '../../../client/generated/schema.ts';
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
    <section className="card sums decisions">
      <header>
        <h2>{words.title}</h2>
      </header>
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
            <Line key={name} address={`${name}@example.com`} decision={decision} isCode />
          ))}
          <Line address={words.other} decision="ACCEPT" />
          <Line address={words.none} decision="SKIPPED" />
        </tbody>
      </table>
    </section>
  );
}

type LineProps = {
  readonly address: string;
  readonly decision: AntiFraudDecision;
  readonly isCode?: boolean;
};

const Line = ({ address, decision, isCode = false }: LineProps) => (
  <tr>
    <th scope="row">{isCode ? <code dir="ltr">{address}</code> : address}</th>
    <td>
      <div className="decision">
        <Decision decision={decision} />
        <span className="quiet">{effect[decision]}</span>
      </div>
    </td>
  </tr>
);
