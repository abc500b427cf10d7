import { readFileSync, writeFileSync } from 'node:fs';
import type { ApiObject } from '@karpenter/api-server';
import type { ArmEmulator } from '@karpenter/azure-emulator';
import { claimsOf, nodesOf } from '../clusters/cluster-census.ts';
import { aDeployment, aNodeClass, aPool, oneOf } from '../clusters/objects.ts';
import type { TestCluster } from '../clusters/test-cluster.ts';
import { making, type ProvisionMode } from '../stories/provision-mode.ts';
import { settled } from '../stories/story-ends.ts';
import { type Story, startStoryIn } from '../stories/story.ts';
import { callAzure } from './call-azure.ts';
import { LONG_POOL, ORIGINALS_HASHES } from './originals-view.ts';

/** What only this Karpenter writes: a tag of machines, an annotation of claims and nodes. */
const OWN_TAG = 'karpenter.azure.com_aksnodeclass-hash';
const OWN_ANNOTATION = 'karpenter.sh/planned-pods';
/** How long Azure takes to write tags, and somewhat more. */
const WRITTEN_MS = 5_000;
/** The original's core writes it, but objects from before 1.0 have none. */
const CLASS_LABEL = 'karpenter.azure.com/aksnodeclass';

const aPoolNamed = (name: string): ApiObject => ({
  ...aPool([oneOf('node.kubernetes.io/instance-type', 'Standard_D4s_v3')]),
  metadata: { name },
});

const aPodFor = (pool: string): ApiObject =>
  aDeployment({ name: 'inflate', replicas: 1, cpu: '3', podSpec: { nodeSelector: { 'karpenter.sh/nodepool': pool } } });

/** The mode in Azure's public cloud, where machines get the extension that bills them. */
const inPublicCloud =
  (mode: ProvisionMode['name']) =>
  (cluster: TestCluster): Readonly<Record<string, string>> => {
    const variables = making(mode)(cluster);
    const path = variables['AZURE_ENVIRONMENT_FILEPATH'] ?? '';
    const file = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...file, name: 'AzurePublicCloud' }));
    return variables;
  };

const poolAnnotations = {
  'karpenter.sh/nodepool-hash': ORIGINALS_HASHES.pool,
  'karpenter.sh/nodepool-hash-version': 'v3',
};

const classAnnotations = {
  'karpenter.azure.com/aksnodeclass-hash': ORIGINALS_HASHES.class,
  'karpenter.azure.com/aksnodeclass-hash-version': 'v3',
};

/** Objects with the annotations of the original, and without what it does not write. */
const leaveObjects = (cluster: TestCluster): void => {
  const { local } = cluster;
  const leave = (kind: string, name: string, metadata: object): void =>
    void local.patch(kind, { name }, { type: 'merge', body: { metadata } });
  for (const [kind, objects] of [
    ['NodeClaim', claimsOf(cluster)],
    ['Node', nodesOf(cluster)],
  ] as const) {
    for (const { metadata } of objects) {
      const written = { ...poolAnnotations, ...classAnnotations, 'karpenter.sh/nodeclaim-min-values-relaxed': 'false' };
      const annotations = { ...written, [OWN_ANNOTATION]: null };
      leave(kind, metadata.name, { annotations, labels: { [CLASS_LABEL]: null } });
    }
  }
  for (const name of ['general', LONG_POOL]) leave('NodePool', name, { annotations: poolAnnotations });
  leave('AKSNodeClass', 'default', { annotations: classAnnotations });
};

interface Tagged {
  readonly tags?: Readonly<Record<string, string>>;
}

const withoutOwn = ({ tags = {} }: Tagged): Tagged => ({
  tags: Object.fromEntries(Object.entries(tags).filter(([key]) => key !== OWN_TAG)),
});

const versionOf = ({ requests }: ArmEmulator, operation: string): string => requests.of(operation).at(-1)?.apiVersion ?? '';

const leaveVm = async (story: Story, id: string): Promise<void> => {
  const { arm } = story.cluster;
  const query = `?api-version=${versionOf(arm, 'VirtualMachines_CreateOrUpdate')}`;
  const extensions = (await callAzure(arm, { method: 'GET', path: `${id}/extensions${query}` }))['value'] as (Tagged & { id: string })[];
  for (const extension of extensions) {
    await callAzure(arm, { method: 'PATCH', path: `${extension.id}${query}`, body: { ...withoutOwn(extension) } });
    await story.pass(WRITTEN_MS);
  }
  const vm: Tagged = await callAzure(arm, { method: 'GET', path: `${id}${query}` });
  await callAzure(arm, { method: 'PATCH', path: `${id}${query}`, body: { ...withoutOwn(vm) } });
  await story.pass(WRITTEN_MS);
};

interface PoolMachine {
  readonly zones?: readonly string[];
  readonly properties: Readonly<Record<string, unknown>> & Tagged & { readonly kubernetes: Readonly<Record<string, unknown>> };
}

const leavePoolMachine = async (arm: ArmEmulator, id: string): Promise<void> => {
  const path = `${id}?api-version=${versionOf(arm, 'Machines_CreateOrUpdate')}`;
  const { zones, properties } = (await callAzure(arm, { method: 'GET', path })) as unknown as PoolMachine;
  const { nodeImageVersion, hardware, operatingSystem, mode, security, priority } = properties;
  const { currentOrchestratorVersion: _current, nodeName: _name, ...kubernetes } = properties.kubernetes;
  const written = { nodeImageVersion, hardware, operatingSystem, mode, security, priority, kubernetes, ...withoutOwn(properties) };
  await callAzure(arm, { method: 'PUT', path, body: { zones, properties: written } });
};

/** Machines without the tag that the original does not write. */
const leaveMachines = async (story: Story): Promise<void> => {
  const { arm } = story.cluster;
  for (const { metadata } of claimsOf(story.cluster)) {
    const id = metadata.annotations?.['karpenter.azure.com/aks-machine-resource-id'];
    if (id !== undefined) await leavePoolMachine(arm, id);
  }
  const ids = arm.vms().filter(({ tags }) => tags['karpenter.azure.com_aksmachine_nodeclaim'] === undefined);
  for (const { id } of ids) await leaveVm(story, id);
};

/**
 * A cluster with a pod and a node in each of two pools, as the original leaves it when it is stopped; one pool has a
 * name that is too long for machines. Machines are made by this Karpenter, whose requests are those of the original but
 * for one tag, which is taken off again.
 */
export const aClusterOfTheOriginal = async (mode: ProvisionMode['name']): Promise<Story> => {
  await using started = new AsyncDisposableStack();
  const nodeClass = { ...aNodeClass, spec: { tags: { team: 'web/shop' } } };
  const story = started.use(
    await startStoryIn({ variables: inPublicCloud(mode) }, nodeClass, aPoolNamed('general'), aPoolNamed(LONG_POOL)),
  );
  story.create(aPodFor('general'), { ...aPodFor(LONG_POOL), metadata: { name: 'inflate-long', namespace: 'default' } });
  await settled(story, 2, 2);
  await story.pass(10_000);
  await story.stop();
  leaveObjects(story.cluster);
  await leaveMachines(story);
  started.move();
  return story;
};
