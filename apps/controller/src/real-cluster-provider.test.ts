import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { controlPlane, describeWithControlPlane } from './testing/processes/control-plane.ts';
import { RealStory } from './testing/processes/real-story.ts';

jest.setTimeout(600_000);

const azure = pathToFileURL(join(import.meta.dirname, '../../../packages/azure/dist/index.js')).href;
const RACK = 'example.com/rack';

/** Azure with a hook that waits until somebody says on the claim in which rack the node stands, and with knobs. */
const hookedAzure = `
import { providerPlugin as azure } from ${JSON.stringify(azure)};

const check = async ({ metadata }) => {
  const rack = metadata.annotations?.['${RACK}'];
  if (rack === undefined) return { kind: 'waiting', inMs: 500 };
  const taints = [{ key: '${RACK}', value: rack, effect: 'NoSchedule' }];
  return { kind: 'satisfied', adds: { labels: { '${RACK}': rack }, annotations: { 'example.com/switch': 'sw-' + rack }, taints } };
};
const knobs = {
  registrationHooks: [{ name: 'RackAssigned', check }],
  defaultTerminationGracePeriod: '24h',
  unsupportedVolumes: { provisioners: new Set(['old.csi.example.com']) },
};
const configure = (given) => {
  const configured = azure.configure(given);
  if (!configured.ok) return configured;
  const create = (world) => {
    const parts = configured.create(world);
    return { ...parts, provider: Object.assign(parts.provider, knobs) };
  };
  return { ...configured, create };
};
export const providerPlugin = { ...azure, configure };
`;

const oldVolume: readonly (KubeObject & Readonly<Record<string, unknown>>)[] = [
  {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'old' } },
    ...{ provisioner: 'old.csi.example.com', volumeBindingMode: 'WaitForFirstConsumer' },
  },
  {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', namespace: 'default' } },
    spec: { storageClassName: 'old', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
];

describeWithControlPlane("a provider with hooks and knobs on Kubernetes' own control plane", () => {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-provider-'));
  const plugin = join(folder, 'hooked-azure.mjs');
  let story: RealStory;

  beforeAll(async () => {
    writeFileSync(plugin, hookedAzure);
    story = await RealStory.start(controlPlane, { variables: { CLOUD_PROVIDER: plugin } });
    await story.create(aNodeClass as KubeObject);
    await story.create(aPool([oneOf('karpenter.azure.com/sku-cpu', '2', '4')]));
  });

  afterAll(async () => {
    await story[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test('a hook keeps pods off a node until it is satisfied; what it adds is on claim and node before the first pod', async () => {
    const tolerations = [{ key: RACK, operator: 'Exists' }];
    await story.create(aDeployment({ name: 'web', replicas: 2, podSpec: { tolerations } }));
    const registered = `jsonpath={.items[*].status.conditions[?(@.type=="Registered")]['reason','message']}`;
    await story.shows(/^RegistrationHookPending RackAssigned$/, 'get', 'nodeclaims', '-o', registered);
    const [name = ''] = (await story.nodes()).map(({ metadata }) => metadata.name);
    const claim = name.replace(/^aks-/, '');
    await story.shows(/karpenter\.sh\/unregistered:NoExecute/, 'describe', 'node', name);
    expect(await story.running('web')).toEqual([]);

    await story.kubectl('annotate', 'nodeclaim', claim, `${RACK}=r7`);
    await story.until('the pods that tolerate the rack run', async () => (await story.running('web')).length === 2);
    const [node] = await story.nodes();
    expect(node?.spec?.taints).toContainEqual(expect.objectContaining({ key: RACK, value: 'r7' }));
    for (const kind of [`node/${name}`, `nodeclaim/${claim}`]) {
      expect(await story.kubectl('get', kind, '-o', 'jsonpath={.metadata.labels}')).toContain(`"${RACK}":"r7"`);
      expect(await story.kubectl('get', kind, '-o', 'jsonpath={.metadata.annotations}')).toContain('"example.com/switch":"sw-r7"');
    }
    expect(await story.kubectl('get', 'nodeclaim', claim, '-o', 'jsonpath={.spec.terminationGracePeriod}')).toBe('24h');
  });

  test('the pod of a volume that its nodes cannot have gets the reason and no node', async () => {
    for (const object of oldVolume) await story.apply(object);
    const before = await story.machines();
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    await story.create(aDeployment({ name: 'db', replicas: 1, podSpec: { volumes } }));
    await story.shows(
      /FailedScheduling .*its provisioner old\.csi\.example\.com does not work on nodes that Karpenter launches/,
      ...['describe', 'pods', '-l', 'app=db'],
    );
    expect(await story.machines()).toEqual(before);
  });
});
