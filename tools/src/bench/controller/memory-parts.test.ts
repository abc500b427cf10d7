import { expect, test } from '@jest/globals';
import { memoryParts } from './memory-parts.ts';

const SMAPS = `00400000-00500000 r-xp 00000000 08:01 123        /usr/bin/node
Size:               1024 kB
Rss:                 600 kB
7f0000000000-7f0000100000 rw-p 00000000 00:00 0
Rss:                 400 kB
7f1000000000-7f1000100000 rw-p 00000000 00:00 0          [heap]
Rss:                 100 kB
`;
const METRICS = `nodejs_heap_space_size_total_bytes{space="old"} 102400
nodejs_heap_space_size_total_bytes{space="new"} 51200
nodejs_heap_space_size_total_bytes{space="code"} 20480
nodejs_heap_space_size_total_bytes{space="trusted_large_object"} 10240
`;

test('the parts of a process › add up to what is resident', () =>
  expect(memoryParts(SMAPS, METRICS)).toEqual({
    ...{ all: 1100 * 1024, files: 600 * 1024, heap: 150 * 1024, code: 30 * 1024 },
    native: 320 * 1024,
  }));
