import type { PlainQuestion } from '../compare-original/plain-question.ts';
import { drawDaemonSets, drawNodes } from './drawn-nodes.ts';
import { drawPods } from './drawn-pods.ts';
import { drawPools } from './drawn-pools.ts';
import { classesFor } from './drawn-volumes.ts';
import type { DrawnVolume } from './drawn-volumes.ts';
import { drawsFor } from './draws.ts';
import type { Draws } from './draws.ts';
import { drawSetting } from './setting.ts';
import type { Setting } from './setting.ts';

/** A question that nobody has answered. */
export type NewQuestion = Omit<PlainQuestion, 'answer'>;

/** How a question is made. `seed` and `index` say which: the same ones make the same question. */
export type QuestionMaker = (seed: number, index: number) => NewQuestion;

/** `wild-7-0003` */
export const idOfNew = (kind: string, seed: number, index: number): string => `${kind}-${seed}-${String(index).padStart(4, '0')}`;

/** Preferences are ignored in one question of five. */
export const drawPolicy = (draws: Draws): NewQuestion['preferences'] => (draws.chance(20) ? 'Ignore' : 'Respect');

/** Absent where nobody claims a volume. */
const storageFor = (setting: Setting, volumes: readonly DrawnVolume[]): Partial<NewQuestion> =>
  volumes.length === 0
    ? {}
    : {
        persistentVolumeClaims: volumes.map(({ claim }) => claim),
        persistentVolumes: volumes.flatMap(({ volume }) => volume ?? []),
        storageClasses: classesFor(setting),
      };

/**
 * A question with all that pods, NodePools and nodes may say, and what the recorded ones lack: several namespaces,
 * `matchLabelKeys`, `minDomains`, `minValues`, `Gt` and `Lt`, extended resources, init containers, sidecars, overhead,
 * host ports with addresses, volumes, startup taints, limits on nodes.
 */
export const wildQuestion: QuestionMaker = (seed, index) => {
  const draws = drawsFor(seed, index);
  const setting = drawSetting(draws);
  const { pods, volumes } = drawPods(draws, setting);
  const nodes = drawNodes(draws, setting);
  return {
    id: idOfNew('wild', seed, index),
    pods,
    nodePools: drawPools(draws, setting),
    types: setting.types,
    nodes: nodes.map(({ node }) => node),
    bound: nodes.flatMap((each) => each.pods),
    daemonSets: drawDaemonSets(draws),
    namespaces: setting.namespaces,
    ...storageFor(setting, volumes),
    preferences: drawPolicy(draws),
  };
};
