const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const cleanList = (list: readonly unknown[]): readonly unknown[] => {
  const cleaned = list.filter((each) => each !== null).map(clean);
  return cleaned.length === list.length && cleaned.every((each, index) => each === list[index]) ? list : cleaned;
};

const cleanRecord = (record: Readonly<Record<string, unknown>>): unknown => {
  let isChanged = false;
  const cleaned: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    const fresh = clean(value);
    isChanged ||= fresh !== value || value === null;
    if (value !== null) cleaned[key] = fresh;
  }
  return isChanged ? cleaned : record;
};

const clean = (value: unknown): unknown => {
  if (Array.isArray(value)) return cleanList(value);
  return isRecord(value) ? cleanRecord(value) : value;
};

/**
 * Plain JSON without its nulls, which say in JSON what a missing field says. What holds none comes back as the same
 * object; costs a walk over all of it.
 */
export const withoutNulls = <T>(json: T): T => clean(json) as T;
