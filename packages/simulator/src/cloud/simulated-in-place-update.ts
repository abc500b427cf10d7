import { inPlaceUpdating, type NodeClass, specHashOf } from '@karpenter/core/provider-kit';
import type { Controller, KubeClient } from '@karpenter/runtime';
import type { SimulatedCloudProvider } from './create-simulated-cloud-provider.ts';
import { TAGS_HASH_ANNOTATION } from './simulated-machine.ts';
import { type SimulatedNodeClass, simulatedNodeClassKind } from './simulated-node-class.ts';

type TaggedClass = NodeClass & Pick<SimulatedNodeClass, 'spec'>;

/** Brings the machines of a simulated cloud to the tags of their class. */
export const simulatedInPlaceUpdate = (
  cloud: Pick<SimulatedCloudProvider, 'retag'>,
  kube: Pick<KubeClient, 'list' | 'patch'>,
): Controller<TaggedClass> =>
  inPlaceUpdating<TaggedClass, Readonly<Record<string, string>>>({
    kind: simulatedNodeClassKind,
    update: {
      goalOf: (_claim, { spec }) => spec?.tags ?? {},
      hashOf: specHashOf,
      bring: ({ metadata }, tags) => Promise.resolve(cloud.retag(metadata.name, tags) ? 'brought' : 'gone'),
    },
    annotation: TAGS_HASH_ANNOTATION,
    kube,
    isOfOne: () => false,
  });
