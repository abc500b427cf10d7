/** `npm run try`: the controller with this provider, on an embedded cluster whose hosts are folders of this machine. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unregisteredTaint } from '@karpenter/core';
import { startEmbeddedCluster } from '@karpenter/simulator';
import type { Host } from './node-class.ts';

const OBJECTS = `
apiVersion: ssh.example.com/v1
kind: SshNodeClass
metadata: { name: default }
spec:
  join: echo "$PROVIDER_ID" > "$KARPENTER_HOME/joined"
  leave: rm -f "$KARPENTER_HOME/joined"
  hosts:
    - { name: small-1, address: root@small-1, cpu: '2', memory: 8Gi, zone: rack-1 }
    - { name: large-1, address: root@large-1, cpu: '8', memory: 32Gi, zone: rack-1 }
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: general }
spec: { template: { spec: { requirements: [], nodeClassRef: { group: ssh.example.com, kind: SshNodeClass, name: default } } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: web, resources: { requests: { cpu: '1', memory: 1Gi } } }] }
`;

/** What this program reads of objects. */
interface Listed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly hosts?: readonly Host[] };
  readonly status?: { readonly phase?: string };
}

const [repository = '../karpenter'] = process.argv.slice(2);
const controller = join(repository, 'apps', 'controller', 'dist', 'main.mjs');
const crdFolder = join(repository, 'apps', 'controller', 'chart-crds', 'templates');
if (!existsSync(controller)) {
  console.error(`${controller} is not there: expected a built clone of Karpenter, as in: npm run try -- ../karpenter`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'karpenter-try-'));
/** Takes the place of `ssh`: each host is a folder, and commands run in the shell of this machine. */
const program = join(folder, 'ssh');
writeFileSync(program, `#!/bin/sh\nwhile [ "$1" = -o ]; do shift 2; done\nexport KARPENTER_HOME="${folder}/$1"; exec sh -c "$2"\n`);
chmodSync(program, 0o755);

const crds = [...readdirSync(crdFolder).map((name) => join(crdFolder, name)), 'crd.yaml'].map((file) => readFileSync(file, 'utf8'));
const cluster = await startEmbeddedCluster({ azure: false, systemPool: false, crds });
cluster.create(OBJECTS);

/** Provider ID → kubelet of a host that has joined. */
const kubelets = new Map<string, Disposable>();
// Without this the cloud controller of the cluster would take new nodes away: it deletes those without a machine.
cluster.addCloud({ machineOf: () => undefined, exists: (providerId) => kubelets.has(providerId) });

/** Starts kubelets for hosts that have joined, and ends those of hosts that have left. */
const followHosts = (hosts: readonly Host[]): void => {
  const joined = new Map(
    hosts.flatMap((host) => {
      const file = join(folder, host.address, 'joined');
      const providerId = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
      return providerId === '' ? [] : [[providerId, host] as const];
    }),
  );
  for (const [providerId, kubelet] of kubelets) {
    if (joined.has(providerId)) continue;
    kubelet[Symbol.dispose]();
    kubelets.delete(providerId);
    console.log(`${providerId} has left`);
  }
  for (const [providerId, { name, cpu, memory }] of joined) {
    if (kubelets.has(providerId)) continue;
    const resources = { cpu, memory, pods: '110' };
    const machine = { name, providerId, capacity: resources, allocatable: resources, arch: 'amd64', isCloudManaged: false } as const;
    kubelets.set(providerId, cluster.kubelets.start({ ...machine, labels: {}, taints: [unregisteredTaint] }));
    console.log(`${providerId} joins`);
  }
};

const log = join(folder, 'controller.log');
const flags = ['--cloud-provider=./dist/index.js', `--ssh-program=${program}`, '--disable-leader-election'];
const child = spawn(process.execPath, [controller, ...flags], {
  env: { ...process.env, KUBECONFIG: cluster.kubeconfigPath, METRICS_PORT: '0', HEALTH_PROBE_PORT: '0' },
  stdio: ['ignore', openSync(log, 'w'), 'inherit'],
});
const end = async (code: number): Promise<void> => {
  child.removeAllListeners('exit').kill();
  await cluster.stop();
  rmSync(folder, { recursive: true });
  process.exit(code);
};
child.once('exit', () => void end(1));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0));

console.log(`export KUBECONFIG=${cluster.kubeconfigPath}\ntail -f ${log}\nCtrl-C ends it.`);
let shown = '';
setInterval(() => {
  const [nodeClass] = cluster.local.list<Listed>('SshNodeClass');
  followHosts(nodeClass?.spec?.hosts ?? []);
  const pods = cluster.local.list<Listed>('Pod');
  const running = pods.filter(({ status }) => status?.phase === 'Running').length;
  const line = `${running} of ${pods.length} pods run, on ${kubelets.size} hosts`;
  if (line !== shown) console.log(line);
  shown = line;
}, 200);
