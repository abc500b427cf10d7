import type { NodeClassRef } from '../apis/index.ts';
import type { CloudProvider } from './cloud-provider.ts';

/** Whether the provider of this process is the one that the reference speaks of. */
export const isManaged = ({ group, kind }: NodeClassRef, { supportedNodeClasses }: Pick<CloudProvider, 'supportedNodeClasses'>): boolean =>
  supportedNodeClasses.some((each) => each.group === group && each.kind === kind);
