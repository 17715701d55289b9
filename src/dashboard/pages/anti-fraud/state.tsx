import { Pill } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import type { Row } from './query.ts';

/** The state of an anti-fraud service. */
export function ServiceState({ active, isDeleted }: Pick<Row, 'active' | 'isDeleted'>) {
  const { state } = texts.services;
  if (isDeleted) return <Pill tone="calm">{state.DELETED}</Pill>;
  return active ? <Pill tone="good">{state.ACTIVE}</Pill> : <Pill tone="calm">{state.OFF}</Pill>;
}

/** Returns the name of the third party with the version of its interface. */
export const providerOf = ({ definition, antiFraudServiceDefinitionId, interfaceVersion }: Row): string =>
  [
    definition?.displayName ?? antiFraudServiceDefinitionId,
    interfaceVersion && texts.antiFraud.version(interfaceVersion),
  ]
    .filter(Boolean)
    .join(' · ');
