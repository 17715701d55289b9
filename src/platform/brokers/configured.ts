import type { Config } from '../process/config.ts';
import type { Broker } from './broker.ts';
import { createKafkaBroker } from './kafka.ts';
import { createNatsBroker } from './nats.ts';

/** Creates the brokers that the settings name. None connects before its first use. */
export const configuredBrokers = (config: Config): readonly Broker[] => [
  ...natsBroker(config),
  ...kafkaBroker(config),
];

const natsBroker = ({ PAYGRAPH_OUTLET_NATS_URL: servers, ...config }: Config): readonly Broker[] =>
  servers ? [createNatsBroker({ ...config, PAYGRAPH_OUTLET_NATS_URL: servers })] : [];

const kafkaBroker = ({ PAYGRAPH_OUTLET_KAFKA_BROKERS: brokers, ...config }: Config): readonly Broker[] =>
  brokers ? [createKafkaBroker({ ...config, PAYGRAPH_OUTLET_KAFKA_BROKERS: brokers })] : [];
