import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fencesOf } from './fence-checks.ts';
import { type FenceMark, placeOf } from './fence.ts';
import { repository } from '../demo/repository.ts';

const printed = (path: string): string =>
  execFileSync(process.execPath, ['--conditions=@karpenter/source', '--no-warnings', repository(path)], { encoding: 'utf8' });

const words = (text: string): string => text.split(/\s+/).join(' ').trim();

const compare: Readonly<Record<FenceMark['kind'], (path: string, text: string) => void>> = {
  source: (path, text) => expect(readFileSync(repository(path), 'utf8')).toBe(text),
  part: (path, text) => expect(words(readFileSync(repository(path), 'utf8'))).toContain(words(text)),
  output: (path, text) => expect(printed(path)).toBe(text),
  excerpt: (path, text) => expect(words(printed(path))).toContain(words(text)),
  checked: () => undefined,
};

describe('blocks that stand for a file of the repository', () => {
  test.each(fencesOf('files').map(({ mark, ...fence }) => [placeOf(fence), mark, fence.text] as const))(
    '%s is %j',
    (_place, mark, text) => {
      if (mark !== undefined) compare[mark.kind](mark.of, text);
    },
  );
});
