import type { NodeClassRef } from '../apis/index.ts';
import type { CloudProvider } from './cloud-provider.ts';

/** Whether the reference names a NodeClass of this provider. */
export const isManaged = ({ group, kind }: NodeClassRef, provider: Pick<CloudProvider, 'getSupportedNodeClasses'>): boolean =>
  provider.getSupportedNodeClasses().some((each) => each.group === group && each.kind === kind);
