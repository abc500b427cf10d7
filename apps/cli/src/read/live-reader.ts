import type { NodeClassKind } from '@karpenter/core';
import { karpenterKinds } from '@karpenter/core/controllers';
import {
  type ClusterConnection,
  createKubeClient,
  createTransport,
  inClusterConnection,
  kindTable,
  KubeError,
  type ObjectPage,
  systemClock,
  type Transport,
} from '@karpenter/runtime';
import { KubeConfigError, loadKubeConfig, OidcError } from '@karpenter/runtime/kubeconfig';
import { CommandError, COMMAND_EXIT } from '../exit-code.ts';
import { type ClusterReader, neverChanging } from './file-reader.ts';

/** Which cluster: as kubectl's flags of the same names. */
export interface KubeFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** What is read of a live cluster. */
export interface LiveOptions extends KubeFlags {
  /** Beside Karpenter's own kinds. */
  readonly nodeClassKinds: readonly NodeClassKind[];
  /** Called when a first read fails; the caches would try again for ever. */
  readonly onFailure: (error: CommandError) => void;
}

/** A live cluster: its reader, and how to hang up. */
export interface LiveReader {
  readonly reader: ClusterReader;
  readonly server: string;
  readonly namespace: string | undefined;
  /** Since when lists fail; undefined while they succeed. */
  readonly lostSinceMs: () => number | undefined;
  readonly close: () => Promise<void>;
}

const meaningOf = (error: KubeError, server: string): string => {
  switch (error.code) {
    case 'unauthorized':
      return `the API server at ${server} refused the credentials: ${error.message}`;
    case 'forbidden':
      return `a role is missing at ${server}: ${error.message}; the page on the command line has one that suffices`;
    default:
      return `the API server at ${server} does not answer: ${error.message}`;
  }
};

/**
 * Lists and watches only. A kind that the cluster does not serve has no objects.
 * Errors: CommandError for the first list that fails; a cache would try again for ever.
 */
const strictReader = (
  client: ClusterReader,
  server: string,
  onFailure: (error: CommandError) => void,
): Pick<LiveReader, 'reader' | 'lostSinceMs'> => {
  const absent = new Set<string>();
  let lostSinceMs: number | undefined;
  const reader: ClusterReader = {
    async listPage(kind, options) {
      try {
        const page: ObjectPage<never> = await client.listPage(kind, options);
        lostSinceMs = undefined;
        return page;
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        if (error.code === 'not-found') {
          absent.add(kind);
          return { items: [], resourceVersion: '1' };
        }
        if (error.code === 'aborted') throw error;
        lostSinceMs ??= systemClock.now();
        onFailure(new CommandError(COMMAND_EXIT.unreadable, meaningOf(error, server), error));
        throw error;
      }
    },
    watch: (kind, options) => (absent.has(kind) ? neverChanging(options?.signal) : client.watch(kind, options)),
  };
  return { reader, lostSinceMs: () => lostSinceMs };
};

/** The cluster that the flags name, that of the pod this runs in, or else the one kubectl talks to. */
const findCluster = async ({ kubeconfig: path, context }: KubeFlags): Promise<ClusterConnection> => {
  const { env } = process;
  const isNamed = [path, context, env['KUBECONFIG']].some((name = '') => name !== '');
  const ofPod = isNamed ? undefined : await inClusterConnection({ clock: systemClock, env });
  return ofPod ?? loadKubeConfig({ ...(path === undefined ? {} : { path }), ...(context === undefined ? {} : { context }) });
};

/** How to reach the cluster that the flags name. Errors: CommandError. */
export const clusterConnection = async (flags: KubeFlags): Promise<ClusterConnection> => {
  try {
    return await findCluster(flags);
  } catch (error) {
    if (error instanceof KubeConfigError || error instanceof OidcError)
      throw new CommandError(COMMAND_EXIT.unreadable, error.message, error);
    throw error;
  }
};

/** The cluster of a kubeconfig. Errors: CommandError. */
export const liveReader = async ({ nodeClassKinds, onFailure, ...flags }: LiveOptions): Promise<LiveReader> => {
  const connection = await clusterConnection(flags);
  const transport: Transport = createTransport(connection, { clock: systemClock, userAgent: 'karpenter-cli' });
  const client = createKubeClient(
    transport,
    kindTable([...karpenterKinds, ...nodeClassKinds.map((each) => ({ ...each, namespaced: false }))]),
  );
  const { server, namespace } = connection;
  return { ...strictReader(client, server, onFailure), server, namespace, close: () => transport.close() };
};
