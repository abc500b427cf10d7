import type { NodeKernel } from './stage.ts';

const HUGE_PAGES = '/sys/kernel/mm/transparent_hugepage';
const READ = `cat /proc/sys/vm/swappiness ${HUGE_PAGES}/enabled ${HUGE_PAGES}/defrag && grep SwapTotal /proc/meminfo`;

/** Runs `kubectl` on one cluster, and returns what it prints. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

/** A pod on one node, whatever its taints, that writes to its log what the kernel says. It needs no rights on the node. */
const reader = (nodeName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'kernel-reader', namespace: 'default' },
  spec: {
    nodeName,
    restartPolicy: 'Never',
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'main', image: 'mcr.microsoft.com/azurelinux/base/core:3.0', command: ['sh', '-c', READ] }],
  },
});

/** The word in brackets is the one that is chosen. */
const chosenIn = (words: string): string => /\[(.+)\]/.exec(words)?.[1] ?? words;

/** What such a log says. The first page of a swap file is its header: 2 GiB are 4 KiB less. */
const kernelIn = (log: string): NodeKernel => {
  const [swappiness = '', enabled = '', defrag = '', swap = ''] = log.trim().split('\n');
  const swapKib = Number(/\d+/.exec(swap)?.[0] ?? 0);
  return { swappiness, hugePages: { enabled: chosenIn(enabled), defrag: chosenIn(defrag) }, swapMB: Math.ceil(swapKib / 1024) };
};

/** Reads what a kernel says by a pod on its node, which is deleted again. */
export const readKernel = async (kubectl: Kubectl, nodeName: string): Promise<NodeKernel> => {
  const pod = reader(nodeName);
  const name = `pod/${pod.metadata.name}`;
  await kubectl(['create', '--filename', '-'], JSON.stringify(pod));
  await kubectl(['wait', name, '--for', 'jsonpath={.status.phase}=Succeeded', '--timeout', '5m']);
  const log = await kubectl(['logs', name]);
  await kubectl(['delete', name, '--wait=false']);
  return kernelIn(log);
};
