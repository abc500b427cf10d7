import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { manifestText } from './manifest-text.ts';

const TEXTS = [
  'yes',
  'on',
  'Off',
  'y',
  'N',
  'true',
  'null',
  '~',
  '1_000',
  '08',
  '0777',
  '0o14',
  '-0O7',
  '0x1F',
  '1e3',
  '12:30:45',
  '2001-01-01',
  '',
];

test.each(TEXTS)('the text "%s" stays one for readers of YAML 1.1, as a value and as a key', (text) => {
  const written = manifestText({ labels: { [`${text}x`]: text, [text]: 'key' } });
  expect(parse(written, { version: '1.1' })).toEqual({ labels: { [`${text}x`]: text, [text]: 'key' } });
  expect(written).toContain(`"${text}": key`);
});

test('other texts stay as bare as people write them', () => {
  expect(manifestText({ kind: 'NodePool', expireAfter: '720h', nodes: 10 })).toBe('kind: NodePool\nexpireAfter: 720h\nnodes: 10\n');
});
