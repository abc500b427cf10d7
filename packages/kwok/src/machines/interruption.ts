import { epochMsOf, type Interruption, type Node } from '@karpenter/core';
import { KWOK_GROUP } from '../apis/kwok-names.ts';

/** Annotation of nodes, RFC 3339: from then on the machine may be gone. People set it to try out an interruption. */
export const INTERRUPTION_ANNOTATION = `${KWOK_GROUP}/interruption`;

/** The end that somebody has announced for a node. */
export const announcedInterruptionOf = ({ metadata }: Node): Interruption | undefined => {
  const deadlineMs = epochMsOf(metadata.annotations?.[INTERRUPTION_ANNOTATION]);
  return deadlineMs === undefined ? undefined : { reason: 'Preempt', deadlineMs };
};
