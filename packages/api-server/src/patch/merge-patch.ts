import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';

/** RFC 7386: members of the patch replace, null removes, objects merge. Neither argument is changed. */
export const mergePatch = (target: JsonValue | undefined, patch: JsonValue): JsonValue => {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, name);
    else if (value !== undefined) result[name] = mergePatch(result[name], value);
  }
  return result;
};
