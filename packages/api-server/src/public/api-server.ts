import type { Clock } from '@karpenter/runtime';
import type { AccessControl } from './access.ts';
import type { Faults } from './faults.ts';
import type { ApiObject, ListQuery, LocalApi } from './local-api.ts';

/** How a server is started. */
export interface ApiServerOptions {
  readonly clock: Clock;
  /** 0 (the default) takes any free port of 127.0.0.1. */
  readonly port?: number | undefined;
  /** How many events are kept for watches that resume; older ones answer 410. Default 20,000. */
  readonly watchCacheSize?: number | undefined;
  /** Seed of the generated names, uids and of faults with a probability. Default 1. */
  readonly seed?: number | undefined;
  /** Period of bookmarks on watches that asked for them. Default 60,000. */
  readonly bookmarkIntervalMs?: number | undefined;
  /** Whether roles and their bindings decide who may do what. Default `AlwaysAllow`: everybody may everything. */
  readonly authorization?: 'AlwaysAllow' | 'RBAC' | undefined;
  /**
   * Whether owner references are held to the rights of those who write them, as the admission plugin
   * OwnerReferencesPermissionEnforcement does. Default false, as in kube-apiserver.
   */
  readonly ownerReferencesPermissionEnforcement?: boolean | undefined;
}

/** Kinds that another API server answers for, as metrics-server does: their objects are computed when they are read. */
export interface AggregatedApi {
  /** `metrics.k8s.io/v1beta1` */
  readonly groupVersion: string;
  readonly kinds: readonly { readonly kind: string; readonly plural: string; readonly namespaced: boolean }[];
  /** The object of a name, or all that a query selects. */
  objects(kind: string, query: ListQuery & { readonly name?: string | undefined }): readonly ApiObject[];
}

/** A running API server. */
export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly local: LocalApi;
  readonly faults: Faults;
  readonly access: AccessControl;
  /** Answers as this version of Kubernetes from now on: `1.36.0`. What it serves stays the same. */
  upgrade(version: string): void;
  /** A kubeconfig (YAML) whose current context is this server, of an administrator. */
  kubeconfig(): string;
  /**
   * Creates or replaces the CustomResourceDefinitions of YAML text (several documents allowed). They are established on
   * return.
   */
  installCrds(...yaml: readonly string[]): void;
  /** Serves these kinds over HTTP, to be read only. */
  aggregate(api: AggregatedApi): void;
  close(): Promise<void>;
}
