import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@karpenter/runtime';
import { type ApiServer, startApiServer } from '@karpenter/api-server';

const root = join(import.meta.dirname, '..', '..', '..');
const argsFor = (name: string): readonly string[] => [
  '--conditions=@karpenter/source',
  '--no-warnings',
  join(root, 'tools', 'src', 'snippets', name),
];

let server: ApiServer;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'package-readmes-'));
  server = await startApiServer({ clock: systemClock });
  server.local.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'somebody' } });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test('the controller of the runtime’s page sees the nodes of a cluster, and ends when stopped', async () => {
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig());
  const child = spawn(process.execPath, argsFor('greet-nodes.ts'), { env: { ...process.env, KUBECONFIG: kubeconfig }, stdio: 'pipe' });
  const exited = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('somebody')) child.kill('SIGTERM');
  }
  expect(said).toContain('"seen"');
  expect(await exited).toEqual([0, null]);
});

test('the cluster of the simulator’s page starts, says where it is, and ends', () => {
  const said = execFileSync(process.execPath, argsFor('start-a-cluster.ts'), { cwd: root, encoding: 'utf8' });
  expect(said).toMatch(/kubeconfig/);
});
