import { patchNodeClaim } from '../../../actions/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { CloudProvider, HookAnswer, NodeAdditions, RegistrationHook } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';

/** What the hooks of a provider say about a claim. */
export interface AskedHooks {
  /** Those that are not satisfied yet or have failed, sorted. */
  readonly pending: readonly string[];
  /** When to ask these again. */
  readonly inMs: number;
  /** What those that are satisfied add; a hook whose name comes later wins. */
  readonly adds: Required<NodeAdditions>;
  /** What hooks have thrown. */
  readonly errors: readonly unknown[];
}

const ASK_AGAIN_MS = 1000;

const additionsOf = (answers: readonly HookAnswer[]): Required<NodeAdditions> => {
  const adds = answers.flatMap((answer) => (answer.kind === 'satisfied' && answer.adds !== undefined ? [answer.adds] : []));
  return {
    labels: Object.assign({}, ...adds.map(({ labels }) => labels)) as Readonly<Record<string, string>>,
    annotations: Object.assign({}, ...adds.map(({ annotations }) => annotations)) as Readonly<Record<string, string>>,
    taints: adds.flatMap(({ taints = [] }) => taints),
  };
};

/** Asks all hooks concurrently, each time. One that fails counts as waiting. */
export const askHooks = async (
  { registrationHooks = [] }: Pick<CloudProvider, 'registrationHooks'>,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<AskedHooks> => {
  const byName = registrationHooks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const errors: unknown[] = [];
  const ask = (hook: RegistrationHook): Promise<HookAnswer> =>
    hook.check(claim, { signal }).catch((error: unknown) => {
      errors.push(error);
      return { kind: 'waiting' };
    });
  const answers = await Promise.all(byName.map(async (hook) => ({ name: hook.name, answer: await ask(hook) })));
  const waiting = answers.flatMap(({ name, answer }) => (answer.kind === 'waiting' ? [{ name, inMs: answer.inMs ?? ASK_AGAIN_MS }] : []));
  return {
    pending: waiting.map(({ name }) => name),
    inMs: Math.min(...waiting.map(({ inMs }) => inMs)),
    adds: additionsOf(answers.map(({ answer }) => answer)),
    errors,
  };
};

/** Whether every entry is there already. */
const isWithin = (entries: Readonly<Record<string, string>>, all: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(entries).every(([key, value]) => all[key] === value);

/** Writes the labels and annotations that hooks add on the claim. Returns the claim as it is then; undefined when it is gone. */
export const addToClaim = async (
  shell: Shell,
  { claim, adds: { labels, annotations } }: { claim: NodeClaim; adds: Required<NodeAdditions> },
  signal: AbortSignal,
): Promise<NodeClaim | undefined> => {
  const { metadata } = claim;
  if (!isWithin(labels, metadata.labels) || !isWithin(annotations, metadata.annotations)) {
    const body = { metadata: { labels: { ...metadata.labels, ...labels }, annotations: { ...metadata.annotations, ...annotations } } };
    await patchNodeClaim(shell, { claim, body }, { signal });
  }
  const current = shell.caches.nodeClaims.get({ name: metadata.name });
  return current?.metadata.uid === metadata.uid ? current : undefined;
};
