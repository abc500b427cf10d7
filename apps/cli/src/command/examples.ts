/** What a person may type, and what it does. Tests run each of them. */
export interface Example {
  readonly command: string;
  readonly does: string;
}

export const examples = {
  nodes: [
    { command: 'karpenter nodes', does: 'of the cluster that kubectl talks to' },
    { command: 'karpenter nodes --watch --pool general', does: 'one pool, live' },
    { command: 'karpenter nodes --from cluster.json --output json', does: 'of a file, for programs' },
  ],
  plan: [
    { command: 'karpenter plan -f pods.yaml', does: 'on new nodes in eastus, without a cluster' },
    { command: 'karpenter plan -f pods.yaml --region westeurope --capacity spot', does: 'on spot nodes of another region' },
    { command: 'karpenter plan -f pods.yaml --from cluster.json', does: 'on what the nodes of a cluster have free, and on new ones' },
  ],
  why: [
    { command: 'karpenter why pod/giant-1 --from cluster.json', does: 'why it waits, and where it would go' },
    { command: 'karpenter why node/general-b2 --from cluster.json', does: 'why it stays' },
  ],
  diff: [
    {
      command: 'karpenter diff -f nodepool.yaml --from cluster.json',
      does: 'before the manifest is applied; ends with 1 if pods lose their place',
    },
  ],
  savings: [{ command: 'karpenter savings --from cluster.json --output json', does: 'for a report' }],
  rebalance: [
    { command: 'karpenter rebalance --from cluster.json', does: 'which nodes go in which wave, and what that saves' },
    { command: 'karpenter rebalance --max-moves 50 --output json', does: 'with no more than 50 pods moved, pod by pod' },
  ],
  convert: [
    { command: 'karpenter convert old.yaml', does: 'to standard output; ends with 1 if an object has to be mended by hand' },
    { command: 'karpenter convert -', does: 'of standard input' },
  ],
  preflight: [
    {
      command: 'karpenter preflight --cluster-name web --output json',
      does: 'with these flags of the controller, and its environment (AZURE_SUBSCRIPTION_ID, LOCATION, …)',
    },
  ],
  completion: [
    { command: 'karpenter completion bash', does: 'to be sourced, or kept in a file of bash-completion' },
    { command: 'karpenter completion fish', does: 'for ~/.config/fish/completions/karpenter.fish' },
    { command: 'karpenter completion kubectl', does: 'for kubectl_complete-karpenter in the path, a program' },
  ],
} as const satisfies Readonly<Record<string, readonly Example[]>>;

/** The examples of a command, for its help. */
export const examplesOf = (name: keyof typeof examples): string => {
  const all: readonly Example[] = examples[name];
  return `\nExamples:\n${all.map(({ command, does }) => `  ${command}\n      ${does}`).join('\n')}\n`;
};
