import { type AKSNodeClass, nodeClassHashOf, NODE_CLASS_HASH_VERSION } from '../apis/index.ts';
import { machineTags } from './machine-tags.ts';

type Tags = Readonly<Record<string, string>>;

/** The tag that says by which class a machine is made: `ts-v1.8061253…`. It stays while the machine runs. */
export const classHashTagOf = (nodeClass: Pick<AKSNodeClass, 'spec'>): Tags => ({
  [machineTags.nodeClassHash]: `${NODE_CLASS_HASH_VERSION}.${nodeClassHashOf(nodeClass)}`,
});

/** That tag of a machine, to be kept where its tags are written as a whole; none where it has none. */
export const keptClassHashTag = ({ [machineTags.nodeClassHash]: tag }: Tags = {}): Tags =>
  tag === undefined ? {} : { [machineTags.nodeClassHash]: tag };

/** By which class a machine was made; undefined for one of the original, or of a controller before there was the tag. */
export const classHashIn = (tags: Tags): { readonly version: string; readonly hash: string } | undefined => {
  const [, version, hash] = /^(.+)\.(\d+)$/.exec(tags[machineTags.nodeClassHash] ?? '') ?? [];
  return version === undefined || hash === undefined ? undefined : { version, hash };
};
