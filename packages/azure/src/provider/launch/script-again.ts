import type { NodeClaim } from '@karpenter/core';
import { machineNameOf } from '../../machines/index.ts';
import { launchBehind, sourceOf } from './plan-launch.ts';
import type { ProviderContext } from '../provider-context.ts';
import { readNodeClass, usableNodeClass } from '../resolve-node-class.ts';

/**
 * The script of a machine that is there already, asked for as if it were launched now; undefined when its claim or its
 * size is gone.
 */
export const scriptAgain = async (context: ProviderContext, claimName: string, signal: AbortSignal): Promise<string | undefined> => {
  const claim = await context.kube.get<NodeClaim>('NodeClaim', { name: claimName }, { signal });
  const vm = claim && (await context.backend.find(machineNameOf(claimName), signal));
  if (claim === undefined || vm === undefined) return undefined;
  const className = claim.spec.nodeClassRef.name;
  const usable = usableNodeClass(await readNodeClass(context.kube, className, signal), className);
  const launch = launchBehind(context, { claim, usable }, vm);
  return launch && (await context.prepare(await sourceOf(context, launch, signal), signal)).script;
};
