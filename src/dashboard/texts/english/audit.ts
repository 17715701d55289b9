/** The texts of the audit log in English. */
export const audit = {
  title: 'Audit log',
  column: { action: 'Change', target: 'Record', actor: 'By', before: 'Fields', at: 'Time' },
  detail: { field: 'Field', before: 'Before', after: 'After', address: 'Address' },
  filter: {
    action: 'Change, such as buyer.updated or buyer.*',
    target: 'Id of the record',
    subject: 'Name of the person, or subject of the key',
    actor: 'Id of the actor',
  },
  actor: {
    API_KEY: 'API key',
    PERSON: 'Person',
    BUYER: 'Buyer',
    PROVIDER: 'Provider',
    SYSTEM: 'Background work',
    COMMAND: 'Command',
    DATABASE: 'Database',
  },
  empty: {
    title: 'No such change',
    text: 'Each change of a record has an entry. Clear a filter to see more.',
  },
} as const;
