import { podNameOf } from '@karpenter/cli/answers';
import { quantitiesOf } from '@karpenter/core';
import { compareText, isDaemonPod, type NodeView, podRequests } from '@karpenter/core/internal';

/** A pod of a node. Amounts are quantities as Kubernetes writes them. */
export interface PodRow {
  readonly name: string;
  readonly cpu: string;
  readonly memory: string;
  readonly isOfDaemonSet: boolean;
}

/** The pods of a node, largest first. */
export const podRows = ({ pods }: NodeView): readonly PodRow[] =>
  pods
    .map((pod) => ({ pod, requests: podRequests(pod) }))
    .sort((a, b) => (b.requests['cpu'] ?? 0) - (a.requests['cpu'] ?? 0) || compareText(podNameOf(a.pod), podNameOf(b.pod)))
    .map(({ pod, requests }) => {
      const { cpu = '0', memory = '0' } = quantitiesOf(requests);
      return { name: podNameOf(pod), cpu, memory, isOfDaemonSet: isDaemonPod(pod) };
    });
