/**
 * What a taint does to pods that do not tolerate it: keeps them off, would rather not have them, or also sends away
 * those that run.
 */
export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

/** What keeps pods off a node unless they tolerate it. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: TaintEffect;
  readonly timeAdded?: string;
}

/** What a pod tolerates. Without key (and with `Exists`) every taint, without effect every effect. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal' | 'Gt' | 'Lt';
  readonly value?: string;
  readonly effect?: TaintEffect | '';
  readonly tolerationSeconds?: number;
}
