import { isObject, type JsonValue, plainText } from '../json/json.ts';

type Step = (values: readonly JsonValue[]) => readonly JsonValue[];

const TOKEN =
  /^(?:\.?\['([^']*)'\]|\.?\["([^"]*)"\]|\[\?\(\s*@\.([^=!<>\s]+)\s*(==|!=)\s*(?:'([^']*)'|"([^"]*)"|([^\s"')]+))\s*\)\]|\[(\*|-?\d+)\]|\.\*|\.((?:[^.[\]\\]|\\.)+))/;

/**
 * Compiles a simple JSONPath as printer columns and selectable fields use it: members, `['a/b']`, `[0]`, `[*]`,
 * `[?(@.type=="Ready")]`. The function returns every value found.
 */
export const compileJsonPath = (text: string): ((value: JsonValue) => readonly JsonValue[]) => {
  const steps: Step[] = [];
  let rest = text.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, '');
  if (!rest.startsWith('.') && !rest.startsWith('[')) rest = `.${rest}`;
  while (rest !== '' && rest !== '.') {
    const match = TOKEN.exec(rest);
    if (match === null) throw new Error(`not a JSONPath: ${text}`);
    steps.push(stepOf(match));
    rest = rest.slice(match[0].length);
  }
  return (value) => steps.reduce<readonly JsonValue[]>((values, step) => step(values), [value]);
};

const stepOf = ([, quoted, doubleQuoted, filter, sign, ...rest]: RegExpExecArray): Step => {
  const [single, double, bare, index, member] = rest;
  const name = quoted ?? doubleQuoted ?? member?.replace(/\\(.)/g, '$1');
  if (name !== undefined) return (values) => values.flatMap((value) => (isObject(value) && value[name] !== undefined ? [value[name]] : []));
  if (filter !== undefined) {
    const read = compileJsonPath(filter);
    const wanted = single ?? double ?? bare;
    return (values) =>
      values.flatMap(itemsOf).filter((item) => read(item).some((found) => plainText(found) === wanted) === (sign === '=='));
  }
  if (index === undefined || index === '*') return (values) => values.flatMap(itemsOf);
  return (values) => values.flatMap((value) => (Array.isArray(value) ? value.slice(Number(index)).slice(0, 1) : []));
};

const itemsOf = (value: JsonValue): readonly JsonValue[] => {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value).filter((member) => member !== undefined) : [];
};
