import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdtempSync, openSync, renameSync, rmSync, writeSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Evidence } from './evidence.ts';
import type { FaultCluster } from './fault-cluster.ts';

/** Room for two write-ahead logs of 64 MiB and the database. */
const SIZE = '256m';
const CHUNK_BYTES = 65_536;
const PAGE_BYTES = 4_096;

const mount = (folder: string, size: string): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' });

/** Whether this user may mount file systems. */
export const canMount = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-mount-'));
  try {
    mount(folder, '1m');
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const folderOf = ({ real: { programs } }: FaultCluster): string => join(programs.folder, 'etcd');

/** Runs `move` while etcd is down, and waits until the API server answers again. */
const whileDown = async (cluster: FaultCluster, move: (folder: string, aside: string) => void): Promise<void> => {
  const { programs } = cluster.real;
  {
    using _down = cluster.keepDown(programs.etcd);
    await programs.etcd.kill();
    const folder = folderOf(cluster);
    move(folder, `${folder}-aside`);
    await programs.etcd.restart();
  }
  while (!(await programs.isReady())) await pause(200);
};

/** Gives etcd a small file system of its own. */
export const mountSmall = (cluster: FaultCluster): Promise<void> =>
  whileDown(cluster, (folder, aside) => {
    renameSync(folder, aside);
    mkdirSync(folder);
    mount(folder, SIZE);
    // A cluster that ends before the round does could not remove its folder. Fails where the round has ended.
    cluster.defer(() => void spawnSync('umount', ['--lazy', folder]));
    cpSync(aside, folder, { recursive: true });
    rmSync(aside, { recursive: true });
  });

/** Gives etcd its first file system back. */
export const unmountSmall = (cluster: FaultCluster): Promise<void> =>
  whileDown(cluster, (folder, aside) => {
    cpSync(folder, aside, { recursive: true });
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
    renameSync(aside, folder);
  });

/** Writes until nothing fits any more, in large pieces and then in small ones. */
const fill = (path: string): void => {
  const file = openSync(path, 'w');
  for (const bytes of [CHUNK_BYTES, PAGE_BYTES]) {
    const piece = Buffer.alloc(bytes);
    try {
      while (writeSync(file, piece) === bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
};

const POLL_MS = 50;
/** Of the process that ran, and of one that could not start. */
const ENDS = 2;

/** For so long the file system of etcd is full: it ends, or is killed after a while, and every start fails. */
export const fillFileSystem = async (cluster: FaultCluster, ms: number): Promise<Evidence> => {
  const { etcd } = cluster.real.programs;
  const filler = join(folderOf(cluster), 'filler');
  fill(filler);
  const startMs = performance.now();
  const ended = new Set<number | undefined>();
  while (performance.now() - startMs < ms) {
    await pause(POLL_MS);
    if (!etcd.isRunning()) ended.add(etcd.pid);
    // It goes on for as long as it has room in the files that are there.
    else if (ended.size === 0 && performance.now() - startMs > ms / 4) await etcd.kill();
  }
  rmSync(filler);
  return ended.size < ENDS ? [] : [`etcd ended ${ended.size} times`];
};
