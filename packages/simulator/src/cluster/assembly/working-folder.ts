import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder with the files that other processes read. Disposing it removes it. */
export interface WorkingFolder extends Disposable {
  /** Writes a file, readable by its owner alone, and returns its absolute path. */
  write(name: string, content: string): string;
}

export const createWorkingFolder = (): WorkingFolder => {
  const path = mkdtempSync(join(tmpdir(), 'embedded-cluster-'));
  return {
    write: (name, content) => {
      const file = join(path, name);
      writeFileSync(file, content, { mode: 0o600 });
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
};
