import { watchOf } from '@karpenter/runtime';
import type { Watch } from '@karpenter/runtime';
import type { NodeClassObject } from '../ports/index.ts';
import type { Shell } from './shell.ts';

/** A NodeClass's changes concern the pools that launch by it. */
export const poolsOfNodeClasses = ({ provider, caches }: Pick<Shell, 'provider' | 'caches'>): readonly Watch[] =>
  provider.getSupportedNodeClasses().map(({ kind }) =>
    watchOf<NodeClassObject>(kind, ({ object }) =>
      caches.nodePools
        .list()
        .filter(
          ({ spec }) => spec.template.spec.nodeClassRef.kind === kind && spec.template.spec.nodeClassRef.name === object.metadata.name,
        )
        .map(({ metadata: { name } }) => ({ name })),
    ),
  );

/** A NodeClass's changes concern the claims that were launched by it: they may have drifted. */
export const claimsOfNodeClasses = ({ provider, caches }: Pick<Shell, 'provider' | 'caches'>): readonly Watch[] =>
  provider.getSupportedNodeClasses().map(({ kind }) =>
    watchOf<NodeClassObject>(kind, ({ object }) =>
      caches.nodeClaims
        .list()
        .filter(({ spec: { nodeClassRef } }) => nodeClassRef.kind === kind && nodeClassRef.name === object.metadata.name)
        .map(({ metadata: { name } }) => ({ name })),
    ),
  );
