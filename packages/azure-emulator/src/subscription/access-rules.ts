import { idKey } from '../arm-id.ts';
import { type ArmRefusal, refusal } from '../faults/arm-error.ts';
import { roleActionOf } from './type-in.ts';

/** What the caller may not do, on a scope and below it. */
export interface AccessDenial {
  /** `Microsoft.Network/networkInterfaces/write`; `*` stands for anything. */
  readonly action: string;
  /** An ARM id; absent: everywhere. */
  readonly scope?: string;
}

/** A management lock: `CanNotDelete` keeps what is there, `ReadOnly` also refuses writes. */
export interface Lock {
  readonly level: 'CanNotDelete' | 'ReadOnly';
  /** An ARM id: it holds for all below. */
  readonly scope: string;
}

const VERBS: Readonly<Record<string, 'write' | 'delete'>> = { PUT: 'write', PATCH: 'write', POST: 'write', DELETE: 'delete' };

const matches = (pattern: string, action: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 'i').test(action);

const covers = ({ scope }: Pick<AccessDenial, 'scope'>, id: string): boolean =>
  scope === undefined || `${idKey(id)}/`.startsWith(`${idKey(scope)}/`);

/** The roles of the caller: everything but what is denied. */
export class AccessRules {
  readonly #denials = new Set<AccessDenial>();
  readonly #locks = new Set<Lock>();

  deny(denial: AccessDenial): Disposable {
    this.#denials.add(denial);
    return { [Symbol.dispose]: () => void this.#denials.delete(denial) };
  }

  /** Locks a scope until it is disposed of. Source: Azure/AKS#3291, gardener/machine-controller-manager#368. */
  lock(lock: Lock): Disposable {
    this.#locks.add(lock);
    return { [Symbol.dispose]: () => void this.#locks.delete(lock) };
  }

  /**
   * Why a lock refuses a request; undefined when none does. Source of the words: Azure-Player/azure.datafactory.devops#183.
   */
  lockRefusalOf({ method, path }: { readonly method: string; readonly path: string }): ArmRefusal | undefined {
    const verb = VERBS[method];
    const locks = [...this.#locks].filter((lock) => covers(lock, path) && (lock.level === 'ReadOnly' || verb === 'delete'));
    if (verb === undefined || locks.length === 0) return undefined;
    const scopes = locks.map(({ scope }) => `'${scope}'`).join(',');
    const message = `The scope '${path}' cannot perform ${verb} operation because following scope(s) are locked: ${scopes}. Please remove the lock and try again.`;
    return refusal(409, 'ScopeLocked', message);
  }

  /** Patterns of actions that are denied on a scope. */
  deniedOn(scope: string): readonly string[] {
    return [...this.#denials].filter((denial) => covers(denial, scope)).map(({ action }) => action);
  }

  /**
   * Why Resource Manager does not let a request through; undefined when it does. Source of the words: Azure RBAC,
   * "Troubleshoot".
   */
  refusalOf({ method, path }: { readonly method: string; readonly path: string }): ArmRefusal | undefined {
    if (this.#denials.size === 0) return undefined;
    const action = roleActionOf(method, path);
    if (!this.deniedOn(path).some((pattern) => matches(pattern, action))) return undefined;
    const message =
      `The client with object id '00000000-0000-0000-0000-00000000000c' does not have authorization to perform action '${action}' over scope ` +
      `'${path}' or the scope is invalid. If access was recently granted, please refresh your credentials.`;
    return refusal(403, 'AuthorizationFailed', message);
  }
}
