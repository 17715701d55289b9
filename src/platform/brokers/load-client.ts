import { OperatorError } from '../operator-error.ts';

/** The packages of each broker's client, with the versions that Paygraph is tested with. */
export const CLIENTS = {
  nats: ['@nats-io/jetstream@3.4.0', '@nats-io/transport-node@3.4.0'],
  kafka: ['@platformatic/kafka@2.12.1'],
} as const;

/**
 * Loads the client of a broker, which is installed apart. Throws an OperatorError with the command to install it when a
 * package is absent.
 */
export async function loadClient<Client>(
  broker: keyof typeof CLIENTS,
  load: () => Promise<Client>,
): Promise<Client> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new OperatorError(
      `The client of ${broker} is not installed. Install it beside Paygraph with: npm install ${CLIENTS[broker].join(' ')}`,
    );
  }
}
