import { createRequire } from 'node:module';

/** Jest's own sequencer, as jest resolves it: the workspace does not depend on that package itself. */
const owners = ['jest', '@jest/core', 'jest-config', '@jest/test-sequencer'];
const place = owners.reduce((from, name) => createRequire(from).resolve(name), import.meta.url);
const { default: Sequencer } = createRequire(import.meta.url)(place);

/** Test files that run for longer than their size suggests. One that starts last leaves a core idle. */
export const long = [
  'packages/testkit/src/stories/crash-points.test.ts',
  'packages/testkit/src/stories/lossy-views.test.ts',
  'packages/testkit/src/stories/odd-objects.test.ts',
  'packages/testkit/src/stories/rebalance.test.ts',
  'packages/testkit/src/validator/packing.test.ts',
  'tools/src/compare-original/recorded-questions.test.ts',
];

/** Where jest knows no times of an earlier run, as in CI, it starts the largest files first. These come before them. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isEarly = ({ path, duration }) => duration === undefined && long.some((each) => path.endsWith(each));
    return super.sort(tests).toSorted((a, b) => Number(isEarly(b)) - Number(isEarly(a)));
  }
}
