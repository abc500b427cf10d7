import type { Pod } from '@karpenter/core';
import { drawAffinity, drawSpreads, REVISION } from './drawn-affinity.ts';
import { DEDICATED } from './drawn-pools.ts';
import { FAMILY, families, GPU } from './drawn-types.ts';
import { drawVolume } from './drawn-volumes.ts';
import type { DrawnVolume } from './drawn-volumes.ts';
import type { Draws } from './draws.ts';
import { ARCH, architectures, CAPACITY_TYPE, capacityKinds, drawNamespace, TEAM, ZONE } from './setting.ts';
import type { Setting } from './setting.ts';

type PodSpec = Pod['spec'];
type Container = PodSpec['containers'][number];

/** Pending pods, and what those with volumes claim. */
export interface DrawnPods {
  readonly pods: readonly Pod[];
  readonly volumes: readonly DrawnVolume[];
}

/** Quantities as Kubernetes writes them. */
export const millis = (cpu: number): string => `${cpu}m`;
export const mebibytes = (memory: number): string => `${memory}Mi`;

const drawPort = (draws: Draws): NonNullable<Container['ports']>[number] => ({
  containerPort: 80,
  hostPort: draws.oneOf([8080, 9090]),
  protocol: draws.oneOf(['TCP', 'UDP']),
  ...draws.maybe(40, () => ({ hostIP: `10.0.0.${draws.between(1, 2)}` })),
});

const drawContainer = (draws: Draws): Container => {
  const gpu = draws.maybe(6, () => ({ [GPU]: '1' }));
  const cpu = draws.oneOf([50, 100, 250, 500, 700, 1000, 1500, 2000, 3500]);
  const memory = draws.oneOf([64, 128, 500, 1000, 1500, 3000, 6000, 12_000]);
  return {
    name: 'main',
    image: 'example',
    resources: { requests: { cpu: millis(cpu), memory: mebibytes(memory), ...gpu }, ...(gpu && { limits: gpu }) },
    ...draws.maybe(7, () => ({ ports: [drawPort(draws)] })),
  };
};

/** An init container, or a sidecar. */
const drawInitContainer = (draws: Draws): Container => ({
  name: 'first',
  image: 'example',
  resources: { requests: { cpu: millis(draws.oneOf([100, 2000, 4000])), memory: mebibytes(64) } },
  ...draws.maybe(50, () => ({ restartPolicy: 'Always' })),
});

const drawNodeSelector = (draws: Draws, { zones }: Setting): Readonly<Record<string, string>> =>
  draws.oneOf([
    { [CAPACITY_TYPE]: draws.oneOf(capacityKinds) },
    { [ZONE]: draws.oneOf(zones) },
    { [ARCH]: draws.oneOf(architectures) },
    { [TEAM]: 'blue' },
    { [FAMILY]: draws.oneOf(families) },
  ]);

const drawToleration = (draws: Draws): NonNullable<PodSpec['tolerations']>[number] =>
  draws.oneOf([
    { key: DEDICATED, operator: 'Exists' },
    { key: DEDICATED, operator: 'Equal', value: 'a', effect: 'NoSchedule' },
    { operator: 'Exists' },
  ]);

const drawSpec = (draws: Draws, setting: Setting, app: string): PodSpec => {
  const affinity = drawAffinity(draws, setting, app);
  return {
    containers: [drawContainer(draws)],
    ...draws.maybe(12, () => ({ initContainers: [drawInitContainer(draws)] })),
    ...draws.maybe(5, () => ({ overhead: { cpu: '250m', memory: '120Mi' } })),
    ...draws.maybe(20, () => ({ nodeSelector: drawNodeSelector(draws, setting) })),
    ...(affinity && { affinity }),
    ...draws.maybe(35, () => ({ topologySpreadConstraints: drawSpreads(draws, setting, app) })),
    ...draws.maybe(50, () => ({ tolerations: [drawToleration(draws)] })),
  };
};

/** The ReplicaSet that a pod is of. */
const ownedBy = (name: string): NonNullable<Pod['metadata']['ownerReferences']> => [
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: name, controller: true },
];

const CREATED = '2026-01-01T00:00:00Z';

/** A pod of an app, in the first revision unless said otherwise. */
export const podOf = (
  {
    name,
    namespace,
    app,
    owner,
    revision = 'h0',
  }: Readonly<Record<'name' | 'namespace' | 'app' | 'owner', string>> & { revision?: string },
  spec: PodSpec,
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    ...{ name, namespace, uid: name, labels: { app, [REVISION]: revision } },
    ...{ creationTimestamp: CREATED, ownerReferences: ownedBy(owner) },
  },
  spec,
  status:
    spec.nodeName === undefined
      ? { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] }
      : { phase: 'Running', conditions: [{ type: 'PodScheduled', status: 'True' }] },
});

/** The equal pods of one ReplicaSet, each with a volume of its own in some cases. */
const drawGroup = (draws: Draws, setting: Setting, owner: string): DrawnPods => {
  const [app, namespace] = [draws.oneOf(setting.apps), drawNamespace(draws, setting)];
  const spec = drawSpec(draws, setting, app);
  const revision = `h${draws.between(0, 1)}`;
  const names = draws.times(draws.oneOf([1, 2, 3, 5, 8, 12, 20]), (index) => `${owner}-${String(index).padStart(2, '0')}`);
  const volumes = draws.chance(10) ? names.map((name) => drawVolume(draws, setting, { name, namespace })) : [];
  const pods = names.map((name, index) => {
    const claimName = volumes[index]?.claim.metadata.name;
    const claimed = claimName === undefined ? {} : { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] };
    return podOf({ name, namespace, app, owner, revision }, { ...spec, ...claimed });
  });
  return { pods, volumes };
};

/** The pods of one to eight ReplicaSets. */
export const drawPods = (draws: Draws, setting: Setting): DrawnPods => {
  const groups = draws.times(draws.oneOf([1, 2, 3, 5, 8]), (index) => drawGroup(draws, setting, `set${index}`));
  return { pods: groups.flatMap(({ pods }) => pods), volumes: groups.flatMap(({ volumes }) => volumes) };
};
