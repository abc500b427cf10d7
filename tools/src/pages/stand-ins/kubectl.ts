import { spawnSync } from 'node:child_process';

const WATCHING = ['--watch', '-w'];
const WATCHED_MS = 1_500;

/**
 * `kubectl …` is the real one, at the API server of the test whatever `KUBECONFIG` a page sets; who watches is
 * interrupted, who edits changes nothing.
 */
export const kubectl = (words: readonly string[]): void => {
  const watches = words.some((word) => WATCHING.includes(word));
  const { status, error } = spawnSync(process.env['KUBECTL'] ?? 'kubectl', words, {
    stdio: 'inherit',
    env: { ...process.env, KUBECONFIG: process.env['KUBECONFIG_OF_TEST'], EDITOR: 'true' },
    ...(watches ? { timeout: WATCHED_MS } : {}),
  });
  if (error !== undefined && !watches) throw error;
  process.exitCode = watches ? 0 : (status ?? 1);
};
