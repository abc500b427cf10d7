import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fencesOf } from './fence-checks.ts';
import { type FenceMark, fencePlaceOf } from './fence.ts';
import { repository } from '../repository.ts';

const printed = (path: string): string =>
  execFileSync(process.execPath, ['--conditions=@karpenter/source', '--no-warnings', repository(path)], { encoding: 'utf8' });

const words = (text: string): string => text.split(/\s+/).join(' ').trim();

const compare: Readonly<Record<Exclude<FenceMark['kind'], 'checked'>, (path: string, text: string) => void>> = {
  source: (path, text) => expect(readFileSync(repository(path), 'utf8')).toBe(text),
  part: (path, text) => expect(words(readFileSync(repository(path), 'utf8'))).toContain(words(text)),
  output: (path, text) => expect(printed(path)).toBe(text),
  excerpt: (path, text) => expect(words(printed(path))).toContain(words(text)),
};

const shown = fencesOf('files').flatMap((fence) => {
  const { mark, text } = fence;
  return mark === undefined || mark.kind === 'checked' ? [] : [{ place: fencePlaceOf(fence), kind: mark.kind, path: mark.of, text }];
});

describe('blocks that stand for a file of the repository', () => {
  test.each(shown)('$place is the $kind of $path', ({ kind, path, text }) => compare[kind](path, text));
});
