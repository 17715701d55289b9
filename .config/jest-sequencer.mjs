import Sequencer from '@jest/test-sequencer';

// Those that take minutes begin first: one that began last would run alone at the end.
const LONG = ['simulation/bugs', 'simulation/simulation', 'payment-links/page-', 'cli/start', 'events/chaos'];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((part) => path.includes(`/test/${part}`));
    const { true: long = [], false: rest = [] } = Object.groupBy(super.sort(tests), isLong);
    return [...long, ...rest];
  }
}
