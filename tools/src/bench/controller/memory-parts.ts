import { readFileSync } from 'node:fs';

/** Resident bytes of a process by what they are for. */
export interface MemoryParts {
  readonly all: number;
  /** Files that are mapped: the program, mostly. The system may drop them, and processes share them. */
  readonly files: number;
  /** V8's heap without code, as far as V8 has reserved it. */
  readonly heap: number;
  /** What V8 has compiled, and what it has to know of that. */
  readonly code: number;
  /** All else: malloc (text of modules, buffers, TLS), stacks, V8's own tables. */
  readonly native: number;
}

const KIB = 1024;
const CODE_SPACE = /^(?:code|trusted)/;

/** Resident bytes of the mappings in the text of `/proc/<pid>/smaps`: of those with a file behind them, and of all. */
const residentIn = (smaps: string): Pick<MemoryParts, 'all' | 'files'> => {
  const mappings = smaps.split(/\n(?=[\da-f]+-[\da-f]+ )/).map((text) => ({
    isFile: / \/.*$/m.test(text.slice(0, text.indexOf('\n'))),
    bytes: Number(/^Rss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * KIB,
  }));
  const sumOf = (some: typeof mappings): number => some.reduce((sum, { bytes }) => sum + bytes, 0);
  return { all: sumOf(mappings), files: sumOf(mappings.filter(({ isFile }) => isFile)) };
};

/** Parts of a process, from its `/proc/<pid>/smaps` and from its metrics page. */
export const memoryParts = (smaps: string, metrics: string): MemoryParts => {
  const { all, files } = residentIn(smaps);
  const spaces = [...metrics.matchAll(/^nodejs_heap_space_size_total_bytes\{space="(\w+)"\} (\S+)$/gm)];
  const sumOf = (isCode: boolean): number =>
    spaces.filter(([, space = '']) => CODE_SPACE.test(space) === isCode).reduce((sum, [, , bytes]) => sum + Number(bytes), 0);
  const [heap, code] = [sumOf(false), sumOf(true)];
  return { all, files, heap, code, native: all - files - heap - code };
};

/** Parts of a process that runs. */
export const memoryPartsOf = (pid: number, metrics: string): MemoryParts =>
  memoryParts(readFileSync(`/proc/${pid}/smaps`, 'utf8'), metrics);
