import { expect, test } from '@jest/globals';
import { fencesOf } from './fence-checks.ts';
import { fencePlaceOf } from './fence.ts';
import { readCommandLine } from '../../../apps/controller/src/settings/command-line.ts';

const assignments = fencesOf('variables').flatMap((fence) =>
  [...fence.text.matchAll(/^(\w+)=(?:'(.*)'|(.*))$/gm)].map(
    ([, name = '', quoted, bare = '']) => [fencePlaceOf(fence), name, quoted ?? bare] as const,
  ),
);

test.each(assignments)('%s: the controller takes %s=%s', async (_place, name, value) => {
  const problemsWith = async (text: string): Promise<string> => {
    const line = await readCommandLine([], { [name]: text });
    return line.kind === 'refused' ? line.problems.join('\n') : '';
  };
  expect(await problemsWith('no such value')).toContain(name);
  expect(await problemsWith(value)).not.toContain(name);
});
