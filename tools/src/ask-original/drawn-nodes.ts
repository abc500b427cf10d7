import type { Node, Pod, Taint } from '@karpenter/core';
import type { DaemonSet } from '@karpenter/core/internal';
import { DEDICATED } from './drawn-pools.ts';
import { mebibytes, millis, podOf } from './drawn-pods.ts';
import type { QuestionType } from './drawn-types.ts';
import type { Draws } from './draws.ts';
import { ARCH, CAPACITY_TYPE, drawNamespace, HOSTNAME, TEAM, teams, ZONE } from './setting.ts';
import type { Setting } from './setting.ts';

/** A node that is up, and the pods that run on it. */
export interface DrawnNode {
  readonly node: Node;
  readonly pods: readonly Pod[];
}

/** What the machine of a node keeps for itself. */
const RESERVED_MILLIS = 100;
const RESERVED_MEBIBYTES = 10;

const drawNode = (draws: Draws, name: string, type: QuestionType): Node => {
  const { Zone, CapacityType } = draws.oneOf(type.Offerings);
  const ofType = Object.fromEntries(Object.entries(type.Labels ?? {}).map(([key, [value]]) => [key, value]));
  const taint: Taint = { key: DEDICATED, value: 'a', effect: 'NoSchedule' };
  const room = { pods: String(type.Pods), ...type.Resources };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      ...{ name, uid: name },
      labels: {
        ...{ [ZONE]: Zone, [CAPACITY_TYPE]: CapacityType, [ARCH]: type.Arch, [HOSTNAME]: name, 'kubernetes.io/os': 'linux' },
        ...{ 'node.kubernetes.io/instance-type': type.Name, ...ofType },
        ...draws.maybe(50, () => ({ [TEAM]: draws.oneOf(teams) })),
      },
    },
    spec: { providerID: `fake://${name}`, taints: draws.chance(15) ? [taint] : [] },
    status: {
      capacity: { cpu: millis(type.CpuMillis), memory: String(type.Memory), ...room },
      allocatable: {
        ...{ cpu: millis(type.CpuMillis - RESERVED_MILLIS), memory: String(type.Memory - RESERVED_MEBIBYTES * 2 ** 20) },
        ...room,
      },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
};

/** Some keep pods of an app off their node or their zone. */
const drawRunningSpec = (draws: Draws, { apps }: Setting): Pick<Pod['spec'], 'affinity'> => {
  const term = () => ({ topologyKey: draws.oneOf([HOSTNAME, ZONE]), labelSelector: { matchLabels: { app: draws.oneOf(apps) } } });
  const drawn = draws.maybe(12, () => ({ podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term()] } }));
  return drawn === undefined ? {} : { affinity: drawn };
};

/** Pods as long as there is room for them, and some luck. */
const drawRunningPods = (draws: Draws, setting: Setting, { name, type }: { name: string; type: QuestionType }): readonly Pod[] => {
  const pods: Pod[] = [];
  let cpu = type.CpuMillis - RESERVED_MILLIS;
  let memory = type.Memory / 2 ** 20 - RESERVED_MEBIBYTES;
  while (draws.chance(70) && pods.length < type.Pods - 2) {
    const needs = { cpu: draws.oneOf([50, 100, 500, 1500]), memory: draws.oneOf([64, 500, 3000]) };
    [cpu, memory] = [cpu - needs.cpu, memory - needs.memory];
    if (cpu < 0 || memory < 0) break;
    const requests = { cpu: millis(needs.cpu), memory: mebibytes(needs.memory) };
    const own = {
      name: `${name}-${pods.length}`,
      namespace: drawNamespace(draws, setting),
      app: draws.oneOf(setting.apps),
      owner: 'running',
    };
    const containers = [{ name: 'main', image: 'example', resources: { requests } }];
    pods.push(podOf(own, { nodeName: name, containers, ...drawRunningSpec(draws, setting) }));
  }
  return pods;
};

/** None, or up to eight nodes with pods. */
export const drawNodes = (draws: Draws, setting: Setting): readonly DrawnNode[] => {
  const count = draws.chance(60) ? draws.oneOf([1, 2, 4, 8]) : 0;
  return draws.times(count, (index) => {
    const [name, type] = [`node${index}`, draws.oneOf(setting.types)];
    return { node: drawNode(draws, name, type), pods: drawRunningPods(draws, setting, { name, type }) };
  });
};

/** Up to two DaemonSets, for all nodes or for some. */
export const drawDaemonSets = (draws: Draws): readonly DaemonSet[] =>
  draws.times(draws.oneOf([0, 0, 1, 2]), (index) => {
    const name = `daemon${index}`;
    const requests = { cpu: draws.oneOf(['50m', '100m', '300m']), memory: draws.oneOf(['50Mi', '200Mi']) };
    const spec: Pod['spec'] = {
      containers: [{ name: 'main', image: 'example', resources: { requests } }],
      ...draws.maybe(60, () => ({ tolerations: [{ operator: 'Exists' as const }] })),
      ...draws.maybe(25, () => ({ nodeSelector: draws.oneOf([{ [ARCH]: 'amd64' }, { [CAPACITY_TYPE]: 'spot' }, { [TEAM]: 'blue' }]) })),
    };
    return { metadata: { name, namespace: 'default', uid: name }, spec: { template: { metadata: { labels: { daemon: name } }, spec } } };
  });
