import { expect, test } from '@jest/globals';
import { validate } from 'dockerfile-utils';
import { fencesOf } from './fence-checks.ts';
import { fencePlaceOf } from './fence.ts';

test.each(fencesOf('images of a provider').map((fence) => [fencePlaceOf(fence), fence.text] as const))(
  '%s: nothing in it is doubtful, and what it copies is made by a stage of it',
  (_place, text) => {
    expect(validate(text).map(({ message, range }) => [range.start.line + 1, message])).toEqual([]);
    const stages = [...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage);
    for (const [, from] of text.matchAll(/--from=(\S+)/g)) expect(stages).toContain(from);
  },
);
