/** The texts of the page of events in English. */
export const events = {
  title: 'Events',
  filter: 'Events to show',
  all: 'All events',
  keys: 'j and k move, Enter opens, p pauses',
  pause: 'Pause',
  resume: (count: number) => (count === 0 ? 'Resume' : `Resume, ${count} new`),
  older: 'Show older events',
  open: 'Open the record',
  id: 'Id',
  payload: 'Payload',
  empty: {
    title: 'No events yet',
    filteredTitle: 'No such event yet',
    text: 'Each change of a payment, a link or another record appears here at once.',
    all: 'Show all events',
    guide: 'Read the guide',
  },
} as const;
