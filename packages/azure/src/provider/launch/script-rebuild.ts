import type { NodeClaim } from '@karpenter/core';
import { machineNameOf, type MachineStock } from '../../machines/index.ts';
import type { AzureKube } from '../azure-kube.ts';
import { type SourceParts, sourceOf } from './launch-source.ts';
import type { NodePreparation } from './node-preparation.ts';
import { launchBehind, type LaunchPlanner } from './launch-plan.ts';
import { readNodeClass, usableNodeClass } from '../usable-node-class.ts';

export interface ScriptSource extends SourceParts, Pick<LaunchPlanner, 'catalog' | 'reservations'> {
  readonly kube: Pick<AzureKube, 'get'>;
  readonly backend: Pick<MachineStock, 'find'>;
  readonly prepare: NodePreparation;
}

/**
 * The script of a machine that is there already, asked for as if it were launched now; undefined when its claim or its
 * size is gone.
 */
export const scriptAgain = async (source: ScriptSource, claimName: string, signal: AbortSignal): Promise<string | undefined> => {
  const claim = await source.kube.get<NodeClaim>('NodeClaim', { name: claimName }, { signal });
  const vm = claim && (await source.backend.find(machineNameOf(claimName), signal));
  if (claim === undefined || vm === undefined) return undefined;
  const className = claim.spec.nodeClassRef.name;
  const usable = usableNodeClass(await readNodeClass(source.kube, className, signal), className);
  const launch = launchBehind(source, { claim, usable }, vm);
  return launch && (await source.prepare(await sourceOf(source, launch, signal), signal)).script;
};
