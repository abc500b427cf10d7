import type { ArmFaultEffect, FaultRule, FaultSubject } from './fault.ts';

interface ActiveRule {
  readonly rule: FaultRule;
  left: number;
}

const same = (wanted: string | undefined, actual: string | undefined): boolean =>
  wanted === undefined || wanted.toLowerCase() === (actual ?? '').toLowerCase();

const meets = (rule: FaultRule, subject: FaultSubject): boolean =>
  same(rule.operation, subject.operation) &&
  same(rule.name, subject.name) &&
  same(rule.vmSize, subject.vmSize) &&
  same(rule.zone, subject.zone) &&
  same(rule.capacityType, subject.capacityType);

/** The faults of one emulator, programmable while it runs. */
export class ArmFaults {
  readonly #rules = new Set<ActiveRule>();
  readonly #random: () => number;

  /** @param random 0..1, so that probable faults repeat with the seed */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Puts a fault in force until its `times` are used up or what is returned is disposed. */
  add(rule: FaultRule): Disposable {
    const active: ActiveRule = { rule, left: rule.times ?? Infinity };
    this.#rules.add(active);
    return { [Symbol.dispose]: () => void this.#rules.delete(active) };
  }

  clear(): void {
    this.#rules.clear();
  }

  /** What befalls this request, in the order in which the faults were added; each answer uses up one of a fault's times. */
  befall(subject: FaultSubject): readonly ArmFaultEffect[] {
    const effects: ArmFaultEffect[] = [];
    for (const active of this.#rules) {
      if (!meets(active.rule, subject)) continue;
      if (active.rule.probability !== undefined && this.#random() >= active.rule.probability) continue;
      active.left -= 1;
      if (active.left <= 0) this.#rules.delete(active);
      effects.push(active.rule.effect);
    }
    return effects;
  }
}
