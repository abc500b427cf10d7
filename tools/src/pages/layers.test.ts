import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { fencesOf } from './fence-checks.ts';
import { fencePlaceOf } from './fence.ts';
import { repository } from '../repository.ts';

/** `nodeclaim/{lifecycle,expiration} disruption/` → `nodeclaim`, `disruption` */
const foldersNamed = (text: string): readonly string[] => text.replaceAll(/\/(?:\{[^}]*\})?/g, '').split(/\s+/);

const foldersIn = (path: string): readonly string[] =>
  readdirSync(repository(path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'fixtures')
    .map(({ name }) => name)
    .sort();

test.each(fencesOf('layers').map((fence) => [fencePlaceOf(fence), fence.text] as const))('%s names each folder of core', (_place, text) => {
  const layers = [...text.matchAll(/^(?: \d |\d\d | {3})([\w-]+)\/ /gm)].map(([, name = '']) => name);
  expect([...layers].sort()).toEqual(foldersIn('packages/core/src'));
  const controllers = /controllers\/([\s\S]*)$/.exec(text)?.[1] ?? '';
  expect([...foldersNamed(controllers.trim())].sort()).toEqual(foldersIn('packages/core/src/controllers'));
});
