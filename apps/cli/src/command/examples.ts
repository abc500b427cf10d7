/** What a person may type, and what it does. Tests run each of them. */
export interface Example {
  readonly command: string;
  readonly does: string;
}

export const examples = {
  nodes: [
    { command: 'karpenter nodes', does: 'of the cluster that kubectl talks to' },
    { command: 'karpenter nodes --watch --pool general-purpose', does: 'one pool, live' },
    { command: 'karpenter nodes --from cluster.json --output json', does: 'of a file, for programs' },
  ],
} as const satisfies Readonly<Record<string, readonly Example[]>>;

/** The examples of a command, for its help. */
export const examplesOf = (name: keyof typeof examples): string => {
  const all: readonly Example[] = examples[name];
  return `\nExamples:\n${all.map(({ command, does }) => `  ${command}\n      ${does}`).join('\n')}\n`;
};
