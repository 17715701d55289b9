import type { AntiFraudDefinition } from '../door.ts';

/** Forter. Its test site and its production site have different site ids and keys, and one address each. */
export const forterAntiFraud: AntiFraudDefinition = {
  id: 'forter-anti-fraud',
  displayName: 'Forter',
  fields: [
    { key: 'site_id', displayName: 'Site ID', required: true, format: 'text', secret: false },
    { key: 'api_key', displayName: 'Secret key', required: true, format: 'text', secret: true },
  ],
  interfaceVersion: '2.1',
  newerInterfaceVersion: '10.2',
  sandboxOnly: false,
};

/** True for a version with recommendations. Forter numbered its versions 2.x, and then 10.x. */
export const recommends = (interfaceVersion: string): boolean => Number.parseInt(interfaceVersion, 10) >= 10;
