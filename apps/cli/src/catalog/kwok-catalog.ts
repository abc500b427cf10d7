import type { CloudProvider, NodeClaim } from '@karpenter/core';
import {
  genericTypes,
  imageOf,
  type InstanceTypeEntry,
  type KWOKNodeClass,
  kwokNodeClassKind,
  KwokProvider,
  parseInstanceTypes,
} from '@karpenter/kwok';
import { silentLogger, systemClock } from '@karpenter/runtime';
import { CommandError, COMMAND_EXIT, reasonOf } from '../exit-code.ts';
import type { ReadText } from '../read/manifests.ts';
import type { Catalog, ClassChange } from './catalog.ts';

const unused = (): Promise<never> => Promise.reject(new Error('a catalog reads no cluster'));

/** Machines drift that were made from another image than their class names, unless they had drifted before. */
const imageDrift = ({ status }: NodeClaim, { before, after }: ClassChange): string | undefined => {
  // The API server holds the class to the schema of its kind.
  const [was, is] = [before, after].map((nodeClass) => imageOf(nodeClass as KWOKNodeClass));
  const made = status?.imageID ?? '';
  return made === was && made !== is ? 'ImageDrift' : undefined;
};

/** The provider's own answer: it needs a cluster for everything but this. */
const catalogOf = (instanceTypes: readonly InstanceTypeEntry[], title: string): Catalog => {
  const kube = { create: unused, delete: unused, get: unused, list: unused, patch: unused };
  const provider = new KwokProvider({ kube, clock: systemClock, logger: silentLogger, instanceTypes });
  const { labelCatalog, unsupportedVolumes }: CloudProvider = provider;
  return {
    titleOf: () => title,
    nodeClassKind: kwokNodeClassKind,
    labelCatalog,
    unsupportedVolumes,
    typesFor: (nodePool) => provider.getInstanceTypes(nodePool),
    classDriftOf: imageDrift,
  };
};

/** The generic types that the kwok provider brings. */
export const kwokCatalog = (): Catalog => catalogOf(genericTypes(), 'the generic instance types of kwok');

/** The types of a file in the format of kwok's `--instance-types-file-path`. Errors: CommandError. */
export const fileCatalog = async (path: string, readText: ReadText): Promise<Catalog> => {
  try {
    const parsed = parseInstanceTypes(await readText(path));
    if (parsed.ok) return catalogOf(parsed.entries, `the instance types of ${path}`);
    throw new Error(parsed.problem);
  } catch (error) {
    throw new CommandError(COMMAND_EXIT.unreadable, `--instance-types ${path}: ${reasonOf(error)}`, error);
  }
};
