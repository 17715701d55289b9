import Sequencer from '@jest/test-sequencer';

// The longest suites begin first. A long suite that began last would run alone at the end.
const LONG = [
  'simulation/',
  'idempotency/matrix',
  'connectors/sandbox',
  'client/subscribe',
  'journeys/kill',
  'http/page',
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((part) => path.includes(`/test/${part}`));
    const { true: long = [], false: rest = [] } = Object.groupBy(super.sort(tests), isLong);
    return [...long, ...rest];
  }
}
