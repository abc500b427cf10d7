import type { Clock } from '../../clock/clock.ts';

/** Which kubeconfig: `path`, else `$KUBECONFIG` or `~/.kube/config`; `context`, else its current one. */
export interface KubeConfigOptions {
  readonly path?: string;
  readonly context?: string;
  /** The system's when left out. */
  readonly clock?: Clock;
}

/** A kubeconfig cannot be used. The message is one line that says what is wrong with which file. */
export class KubeConfigError extends Error {
  readonly code: 'unreadable' | 'no-context' | 'no-cluster';

  constructor(code: KubeConfigError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'KubeConfigError';
    this.code = code;
  }
}
