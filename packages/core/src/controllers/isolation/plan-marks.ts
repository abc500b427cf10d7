/**
 * Where a process notes what it plans, so that the next one knows what ended it. Calls are synchronous: an end gives no
 * second chance.
 */
export interface PlanMarks {
  /** What was written last and not cleared; undefined: nothing, or it cannot be read. Throws nothing. */
  readonly read: () => string | undefined;
  /** Throws nothing: without a mark the next process plans as usual. */
  readonly write: (text: string) => void;
  readonly clear: () => void;
}

/** The plans that may end a process. */
export type PlanKind = 'provisioning' | 'disruption';

/** What may not be planned until then (epoch ms). */
export interface Blame {
  readonly unit: string;
  readonly untilMs: number;
  /** The plans that a node ended; undefined: the unit is no node. */
  readonly of?: PlanKind;
}

/** The search for a node that ends plans. */
export interface CulpritSearch {
  /** Names of the nodes that may do it; undefined: any may. */
  readonly suspects: readonly string[] | undefined;
  /** Those that the plan which runs tries. */
  readonly tried: readonly string[];
}

/** Whether a node may end one kind of plan. */
export interface NodeSuspicion {
  /** Undefined unless plans of this kind ended processes, and none was made since. `searched`: and no node alone does it. */
  readonly stage: 'suspected' | 'searched' | undefined;
  /** Undefined: there is none. */
  readonly search: CulpritSearch | undefined;
}

/** What a process leaves behind. */
export interface PlanMark extends Readonly<Record<PlanKind, NodeSuspicion>> {
  /** Units of the plan that runs; empty: none does. */
  readonly during: readonly string[];
  /** One of these units ended an earlier process; undefined: nothing is suspected. */
  readonly suspects: readonly string[] | undefined;
  /** Further lists of suspects that ended a process: they come next. */
  readonly waiting: readonly (readonly string[])[];
  readonly blamed: readonly Blame[];
}

export const NO_SUSPICION: NodeSuspicion = { stage: undefined, search: undefined };

export const NO_MARK: PlanMark = {
  ...{ during: [], suspects: undefined, waiting: [], blamed: [] },
  ...{ provisioning: NO_SUSPICION, disruption: NO_SUSPICION },
};

const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});

const blamesOf = (value: unknown): readonly Blame[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => {
    const { unit, untilMs, of } = fieldsOf(each);
    if (!isText(unit) || typeof untilMs !== 'number' || !Number.isFinite(untilMs)) return [];
    return [{ unit, untilMs, ...(of === 'provisioning' || of === 'disruption' ? { of } : {}) }];
  });

const searchOf = (value: unknown): CulpritSearch | undefined => {
  const { suspects, tried } = fieldsOf(value);
  return areTexts(tried) ? { suspects: areTexts(suspects) ? suspects : undefined, tried } : undefined;
};

const suspicionOf = (value: unknown): NodeSuspicion => {
  const { stage, search } = fieldsOf(value);
  return { stage: stage === 'suspected' || stage === 'searched' ? stage : undefined, search: searchOf(search) };
};

const objectOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // The process ended while it wrote the mark.
    return {};
  }
};

/** A mark as it was written; what cannot be read of it counts as not written. */
export const parsedMark = (text: string): PlanMark => {
  const { during, suspects, waiting, blamed, provisioning, disruption } = objectOf(text);
  return {
    during: areTexts(during) ? during : [],
    suspects: areTexts(suspects) ? suspects : undefined,
    waiting: Array.isArray(waiting) ? waiting.filter(areTexts) : [],
    blamed: blamesOf(blamed),
    provisioning: suspicionOf(provisioning),
    disruption: suspicionOf(disruption),
  };
};

/** Whether the mark says nothing to the next process. */
export const isCleanMark = ({ during, suspects, blamed, provisioning, disruption }: PlanMark): boolean =>
  during.length + blamed.length === 0 &&
  [suspects, provisioning.stage, provisioning.search, disruption.stage, disruption.search].every((each) => each === undefined);
