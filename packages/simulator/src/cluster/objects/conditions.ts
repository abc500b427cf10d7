interface ConditionLike {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** Clients may write anything into the status of a kind without a schema. */
const listedIn = <T extends ConditionLike>(conditions: readonly T[] | undefined): readonly T[] =>
  Array.isArray(conditions) ? conditions.filter((condition: T | null) => typeof condition === 'object' && condition !== null) : [];

/** The list with one condition put in its place; its transition time moves only when its status does. */
export const putCondition = <T extends ConditionLike>(conditions: readonly T[] | undefined, next: T, now: string): readonly T[] => {
  const list = listedIn(conditions);
  const before = list.find((condition) => condition.type === next.type);
  const lastTransitionTime = before?.status === next.status ? (before.lastTransitionTime ?? now) : now;
  const entry = { ...next, lastTransitionTime };
  return before === undefined ? [...list, entry] : list.map((condition) => (condition === before ? entry : condition));
};

export const conditionIn = <T extends ConditionLike>(conditions: readonly T[] | undefined, type: string): T | undefined =>
  listedIn(conditions).find((condition) => condition.type === type);
