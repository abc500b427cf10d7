import type { Controller, KubeClient, LogFields, ResourceKind, SingletonController } from '@karpenter/runtime';
import type { CloudProvider, NodeClassKind } from '../cloudprovider/index.ts';
import type { Clock, EventRecording, Logger, Metrics } from '../ports/index.ts';

/** What a provider is given to be made from. */
export interface ProviderWorld {
  /** `get` may be answered by caches; everything else goes to the API server. */
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: EventRecording;
  /** Base64 of PEM: whom the controller's own connection trusts. Empty where it trusts what Node does. */
  readonly caBundle: string;
  /** `gitVersion` of the API server: `v1.34.2`. */
  readonly serverVersion: (signal: AbortSignal) => Promise<string>;
}

/** A provider with the controllers that it brings. */
export interface ProviderParts {
  readonly provider: CloudProvider;
  readonly controllers: readonly Controller[];
  readonly singletons: readonly SingletonController[];
  /** Signs in and reads what the first plan needs. Errors: StartError where a person can do something about it. */
  start(signal: AbortSignal): Promise<void>;
}

/** What a process was started with. */
export interface ProviderArguments {
  /** Flag without dashes → text. */
  readonly flags: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An option of a provider, as `--help` and its page show it. */
export interface ProviderOption {
  /** Without dashes. Absent: there is only the environment variable. */
  readonly flag?: string;
  readonly env: string;
  readonly help: string;
  /** As a person would write it; `required` where it must be given; empty where there is nothing to say. */
  readonly defaultText: string;
}

/** A provider that can be made, or everything that is wrong with its options, one sentence each. */
export type ConfiguredProvider =
  | {
      readonly ok: true;
      /** What the log says of it at the start. */
      readonly about: LogFields;
      /** Errors: StartError where a person can do something about it. */
      create(world: ProviderWorld): ProviderParts;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Version of what the controller and a plugin ask of each other. It goes up when plugins of the version before no
 * longer run.
 */
export const PROVIDER_CONTRACT_VERSION = 1;

/**
 * How a provider plugs in: what its package exports as `providerPlugin`, so that the controller can load it by the
 * package's name.
 */
export interface ProviderPlugin {
  /** The contract that the plugin is written for. A controller of another version refuses it at the start. */
  readonly contractVersion: typeof PROVIDER_CONTRACT_VERSION;
  /** What people call the cloud: `Azure`. */
  readonly title: string;
  /** Options of its own. */
  readonly options: readonly ProviderOption[];
  readonly nodeClassKinds: readonly NodeClassKind[];
  /** Kinds that it reads or writes, its NodeClasses among them. */
  readonly kinds: readonly ResourceKind[];
  configure(given: ProviderArguments): ConfiguredProvider;
}

const NAME = 'StartError';

/** The process cannot start, and a person can do something about it: the message is one line that says what. */
export class StartError extends Error {
  override readonly name = NAME;

  /** By name: a plugin that was loaded brings its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && 'name' in value && value.name === NAME;
  }
}
