import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeClient } from '@karpenter/runtime';
import { describeCloudProvider } from '@karpenter/testkit/contract';
import { sshHosts } from './hosts.ts';
import { typeNameOf } from './instance-types.ts';
import { type Host, sshHash, type SshNodeClass } from './node-class.ts';
import { SshProvider } from './provider.ts';

const aHost = (name: string, cpu: string, memory: string): Host => ({ name, address: `root@${name}`, cpu, memory, zone: 'rack-1' });
const hosts = [aHost('small-1', '2', '8Gi'), aHost('small-2', '2', '8Gi'), aHost('large-1', '8', '32Gi')];

const aClass = (joinCommand: string): SshNodeClass => {
  const nodeClass = { apiVersion: 'ssh.example.com/v1', kind: 'SshNodeClass', spec: { join: joinCommand, leave: 'true', hosts } };
  const { hash, version } = sshHash.annotations;
  const annotations = { [hash]: sshHash.of({ ...nodeClass, metadata: { name: 'default' } }), [version]: sshHash.version };
  return { ...nodeClass, metadata: { name: 'default', annotations } };
};

/** A program that takes the place of `ssh`: each host is a folder, and commands run in the shell of this machine. */
const fakeSsh = (folder: string): string => {
  const program = join(folder, 'ssh');
  writeFileSync(program, `#!/bin/sh\nwhile [ "$1" = -o ]; do shift 2; done\nKARPENTER_HOME="${folder}/$1" exec sh -c "$2"\n`);
  chmodSync(program, 0o755);
  return program;
};

describeCloudProvider(
  'ssh',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'karpenter-ssh-'));
    // Each call to join leaves a file.
    const joins = mkdtempSync(join(folder, 'joins-'));
    let nodeClass = aClass(`touch ${joins}/$$`);
    const kube = {
      get: (_kind: string, { name }: { readonly name: string }) => Promise.resolve(name === 'default' ? nodeClass : undefined),
      list: () => Promise.resolve({ items: [nodeClass], resourceVersion: '1' }),
    } as unknown as Pick<KubeClient, 'get' | 'list'>;
    const nodeClassRef = { group: 'ssh.example.com', kind: 'SshNodeClass', name: 'default' };
    return Promise.resolve({
      provider: new SshProvider(kube, sshHosts(fakeSsh(folder))),
      nodePool: {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodePool',
        metadata: { name: 'general' },
        spec: { template: { spec: { requirements: [], nodeClassRef } } },
      },
      run: (call) => call(),
      cutOff: () => writeFileSync(join(folder, 'ssh'), '#!/bin/sh\nexit 255\n'),
      launchCalls: () => readdirSync(joins).length,
      withhold: ({ instanceType }) => {
        for (const { address } of hosts.filter((host) => typeNameOf(host) === instanceType)) {
          mkdirSync(join(folder, address), { recursive: true });
          writeFileSync(join(folder, address, 'owner'), 'somebody-else');
        }
      },
      outdate: () => {
        nodeClass = aClass('echo another way');
        return Promise.resolve();
      },
      [Symbol.asyncDispose]: () => {
        rmSync(folder, { recursive: true, force: true });
        return Promise.resolve();
      },
    });
  },
  {
    R28: 'hosts are switched off without a word',
    R32: 'what a class says of a host is how it joins',
    R33: 'nobody asks a host later how its join went: core deletes its claim after a quarter of an hour',
    R34: 'the smallest host that does is taken, whatever it is said to cost or to have beside',
  },
);
