/** Where a process notes what it plans, so that the next one knows what ended it. Calls are synchronous: an end gives no second chance. */
export interface PlanMarks {
  /** What was written last and not cleared; undefined: nothing, or it cannot be read. Throws nothing. */
  readonly read: () => string | undefined;
  /** Throws nothing: without a mark the next process plans as usual. */
  readonly write: (text: string) => void;
  readonly clear: () => void;
}

/** What may not be planned until then (epoch ms). */
export interface Blame {
  readonly unit: string;
  readonly untilMs: number;
}

/** The search for a node that ends disruption plans. */
export interface CulpritSearch {
  /** Names of the nodes that may do it; undefined: any may. */
  readonly suspects: readonly string[] | undefined;
  /** Those that the plan which runs tries. */
  readonly tried: readonly string[];
}

/** What a process leaves behind. */
export interface PlanMark {
  /** Units of the plan that runs; empty: none does. */
  readonly during: readonly string[];
  /** One of these units ended an earlier process; undefined: nothing is suspected. */
  readonly suspects: readonly string[] | undefined;
  readonly blamed: readonly Blame[];
  /** Undefined unless a process ended during a disruption plan and none has made such a plan since. `searched`: and no node alone does it. */
  readonly disruption: 'suspected' | 'searched' | undefined;
  /** Undefined: there is none. */
  readonly search: CulpritSearch | undefined;
}

export const NO_MARK: PlanMark = { during: [], suspects: undefined, blamed: [], disruption: undefined, search: undefined };

const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const isBlame = (value: unknown): value is Blame =>
  typeof value === 'object' &&
  value !== null &&
  'unit' in value &&
  isText(value.unit) &&
  'untilMs' in value &&
  Number.isFinite(value.untilMs);

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});

const searchOf = (value: unknown): CulpritSearch | undefined => {
  const { suspects, tried } = fieldsOf(value);
  return areTexts(tried) ? { suspects: areTexts(suspects) ? suspects : undefined, tried } : undefined;
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
  const { during, suspects, blamed, disruption, search } = objectOf(text);
  return {
    during: areTexts(during) ? during : [],
    suspects: areTexts(suspects) ? suspects : undefined,
    blamed: Array.isArray(blamed) ? blamed.filter(isBlame) : [],
    disruption: disruption === 'suspected' || disruption === 'searched' ? disruption : undefined,
    search: searchOf(search),
  };
};
