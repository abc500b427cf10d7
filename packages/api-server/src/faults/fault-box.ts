import type { ApiVerb, Fault, FaultEffect, Faults } from '../public/faults.ts';
import type { Engine } from '../engine/engine.ts';

/** A watch as faults see it. */
interface WatchControl {
  readonly kind: string;
  /** Resets the connection. */
  drop(): void;
  /** Delays its events, or delivers them. */
  hold(held: boolean): void;
}

/** The faults of a server, and what its HTTP half asks of them. */
export interface FaultBox extends Faults {
  /** The faults that apply to a request, in the order of injection. */
  effectsOn(verb: ApiVerb, kind: string): readonly FaultEffect[];
  /** Watches register while they are open. */
  register(watch: WatchControl): Disposable;
  /** The version that cached reads are frozen at, if they are. */
  readonly frozenAt: number | undefined;
}

interface Armed {
  readonly fault: Fault;
  left: number;
}

const createArmory = (random: () => number) => {
  const armed = new Set<Armed>();
  const meets = ({ fault, left }: Armed, verb: ApiVerb, kind: string): boolean =>
    left > 0 &&
    (fault.verbs?.includes(verb) ?? true) &&
    (fault.kinds?.includes(kind) ?? true) &&
    (fault.probability === undefined || random() < fault.probability);
  return {
    inject: (fault: Fault): Disposable => {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      armed.add(entry);
      return { [Symbol.dispose]: () => void armed.delete(entry) };
    },
    effectsOn: (verb: ApiVerb, kind: string): readonly FaultEffect[] =>
      [...armed].flatMap((entry) => {
        if (!meets(entry, verb, kind)) return [];
        entry.left -= 1;
        if (entry.left === 0) armed.delete(entry);
        return [entry.fault.effect];
      }),
  };
};

/** A box without faults. Calls `compacted` after the history was dropped. */
export const createFaultBox = (engine: Engine, compacted: () => void): FaultBox => {
  const watches = new Set<WatchControl>();
  const holds = new Set<{ readonly kinds: readonly string[] | undefined }>();
  let frozenAt: number | undefined;

  const isHeld = (kind: string): boolean => [...holds].some(({ kinds }) => kinds === undefined || kinds.includes(kind));
  const applyHolds = (): void => {
    for (const watch of watches) watch.hold(isHeld(watch.kind));
  };
  const hold = (kinds: readonly string[] | undefined): Disposable => {
    const entry = { kinds };
    holds.add(entry);
    applyHolds();
    const release = (): void => {
      holds.delete(entry);
      applyHolds();
    };
    return { [Symbol.dispose]: release };
  };
  return {
    ...createArmory(engine.random),
    dropWatches: (kinds) => {
      const dropped = [...watches].filter(({ kind }) => kinds?.includes(kind) ?? true);
      for (const watch of dropped) watch.drop();
      return dropped.length;
    },
    staleWatches: hold,
    freezeCache: () => {
      frozenAt = engine.store.version;
      const held = hold(undefined);
      return {
        [Symbol.dispose]: () => {
          frozenAt = undefined;
          held[Symbol.dispose]();
        },
      };
    },
    compact: () => {
      engine.store.compact();
      compacted();
    },
    register: (watch) => {
      watches.add(watch);
      watch.hold(isHeld(watch.kind));
      return { [Symbol.dispose]: () => void watches.delete(watch) };
    },
    get frozenAt() {
      return frozenAt;
    },
  };
};
