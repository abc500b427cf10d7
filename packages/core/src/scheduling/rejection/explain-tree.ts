import { explain } from './explain.ts';
import { hintText } from './hint-text.ts';
import { poolTexts } from './pool-text.ts';
import type { Rejection } from './rejection.ts';

interface Branch {
  readonly text: string;
  readonly leaves: readonly string[];
}

const linesOf = (branches: readonly Branch[]): readonly string[] =>
  branches.flatMap(({ text, leaves }, i) => {
    const isLast = i === branches.length - 1;
    const [fork, trunk] = isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
    return [fork + text, ...leaves.map((leaf, j) => `${trunk}${j === leaves.length - 1 ? '└─ ' : '├─ '}${leaf}`)];
  });

/**
 * The same as `explain`, as a tree of lines: what would help, then every NodePool with a line for each check that
 * removed instance types.
 */
export const explainTree = (rejection: Rejection): string => {
  const { pod, reason } = rejection;
  if (reason.kind !== 'no-place') return explain(rejection);
  const branches = [
    ...reason.hints.map((hint) => ({ text: hintText(hint), leaves: [] })),
    ...reason.pools.map((pool) => ({ text: `NodePool ${pool.nodePoolName}`, leaves: poolTexts(pool.reason) })),
  ];
  return [`Pod ${pod.metadata.namespace ?? 'default'}/${pod.metadata.name} found no place`, ...linesOf(branches)].join('\n');
};
