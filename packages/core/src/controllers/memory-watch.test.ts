import { expect, test } from '@jest/globals';
import { finish } from '../base/index.ts';
import { compilingCatalog } from '../catalog/index.ts';
import type { Decision } from '../ports/index.ts';
import { MemoryWatch } from './shell.ts';

const watching = () => {
  const reported: Decision[] = [];
  let used = 0;
  const watch = new MemoryWatch({ memoryUse: () => used, reporter: { report: (decision) => void reported.push(decision) } });
  return { watch, reported, use: (ratio: number) => (used = ratio) };
};

test('plans are smaller from 80 % of the memory on, until 70 % is reached again; this is reported once', () => {
  const { watch, reported, use } = watching();
  const portions = [0.5, 0.81, 0.75, 0.9, 0.69, 0.75].map((ratio) => {
    use(ratio);
    return watch.share().portion;
  });
  expect(portions).toEqual([1, 0.2, 0.2, 0.2, 1, 1]);
  expect(reported).toEqual([{ kind: 'memory-short', usedRatio: 0.81 }]);
});

test('when memory gets short › compiled catalogs are let go, once: the next plans compile them again', () => {
  const { watch, use } = watching();
  const types: Parameters<typeof compilingCatalog>[0] = [];
  const before = finish(compilingCatalog(types));
  const catalogs = [0.5, 0.81, 0.9].map((ratio) => {
    use(ratio);
    watch.share();
    return finish(compilingCatalog(types));
  });
  expect(catalogs[0]).toBe(before);
  expect(catalogs[1]).not.toBe(before);
  expect(catalogs[2]).toBe(catalogs[1]);
});

test('a plan that takes nearly all memory ends with what it has', () => {
  const { watch, use } = watching();
  use(0.3);
  const share = watch.share();
  use(0.93);
  expect(share.isOut()).toBe(true);
});

test('a plan is not ended for what others have taken before it', () => {
  const { watch, use } = watching();
  use(0.93);
  const share = watch.share();
  use(0.95);
  expect(share.isOut()).toBe(false);
});

test('a plan that begins beside another does not change what that one may take', () => {
  const { watch, use } = watching();
  use(0.88);
  const early = watch.share();
  use(0.94);
  const late = watch.share();
  expect([early.isOut(), late.isOut()]).toEqual([true, false]);
});
