import { describe, expect, test } from '@jest/globals';
import { compileSelector } from './device-selector.ts';
import { selectedGpu } from './testing/selected-gpu.ts';

const answerTo = (expression: string): boolean | string => {
  const answer = compileSelector(expression).selects(selectedGpu);
  return typeof answer === 'boolean' ? answer : answer.problem;
};

/** Says `a` for what stands at `A`. */
const own = 'device.attributes["gpu.example.com"]';

describe('a selector about a device', () => {
  test.each([
    ['the driver', 'device.driver == "gpu.example.com"', true],
    ['a text', `${own}.model == "A100"`, true],
    ['a number', `${own}.index >= 2 && ${own}["index"] < 4`, true],
    ['a boolean', `${own}.ecc`, true],
    ['a version', `${own}.driverVersion.compareTo(semver("535.0.0")) > 0`, true],
    ['the parts of a version', `${own}.driverVersion.major() == 535 && ${own}.driverVersion.minor() == 104`, true],
    ['a version with a prefix', 'semver("v1.2", true).isLessThan(semver("1.10.0"))', true],
    ['a version before its release', 'semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))', true],
    ['a version that is none', 'isSemver("1.2")', false],
    ['an attribute of another domain', 'device.attributes["topology.example.com"].numa == 1', true],
    ['a capacity', 'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) == 0', true],
    ['too little of a capacity', 'device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("40Gi"))', false],
    ['a sum of quantities', 'quantity("1Gi").add(quantity("1Gi")).compareTo(quantity("2Gi")) == 0', true],
    ['a quantity that is none', 'isQuantity("1 Gi")', false],
    ['a quantity as a number', 'quantity("50k").asInteger() == 50000', true],
    ['whether it is shared', '!device.allowMultipleAllocations', true],
    ['an attribute that is there', `has(${own}.model)`, true],
    ['an attribute that is missing', `has(${own}.serial)`, false],
    ['a domain that is missing', '"other.example.com" in device.attributes', false],
    ['an attribute of a domain that is missing', '!has(device.attributes["other.example.com"].serial)', true],
    ['an optional attribute', `${own}.?serial.orValue("none") == "none"`, true],
    ['one of several', `${own}.model in ["V100", "A100"]`, true],
    ['some of several', `["V100", "A100"].exists(each, each == ${own}.model)`, true],
    ['all of several', '[1, 2, 3].all(each, each > 0)', true],
    ['one of several alone', '[1, 2, 2].exists_one(each, each == 2)', false],
    ['those that are left', '[1, 2, 3].filter(each, each > 1).map(each, each * 2) == [4, 6]', true],
    ['the keys of a map', '{"a": 1, "b": 2}.exists(key, key == "b")', true],
    ['a name for a part', `cel.bind(its, ${own}, its.model == "A100" && its.index == 3)`, true],
    ['a pattern', `${own}.model.matches("^A[0-9]+$")`, true],
    ['a start', `${own}.model.lowerAscii().startsWith("a1")`, true],
    ['a choice', `${own}.ecc ? ${own}.index == 3 : false`, true],
    ['precedence', '1 + 2 * 3 == 7 && -2 < 0 && !(7 % 2 == 0)', true],
    ['a set', 'sets.contains(["a", "b"], ["a"]) && !sets.intersects([1], [2])', true],
    ['escapes', String.raw`"\x41\u0031\060\060" == "A100" && r"\d" == "\\d" && '''a''' == "a"`, true],
    ['a comment', 'true // not read', true],
    ['what decides although the other side fails', `${own}.serial == "1" || true`, true],
    ['what decides although the first side fails', `!(${own}.serial == "1" && false)`, true],
    ['numbers of two sorts', '1 == 1.0 && 2 > 1.5', true],
  ])('when it asks for %s: %s', (_, expression, expected) => {
    expect(answerTo(expression)).toBe(expected);
  });

  test.each([
    ['a missing attribute', `${own}.serial == "1"`, 'no such key: serial'],
    ['a missing field', 'device.vendor == "x"', 'no such key: vendor'],
    ['an unknown name', 'node.name == "x"', 'undeclared reference to "node"'],
    ['an unknown function', 'device.driver.backwards() == "x"', 'undeclared reference to "backwards"'],
    ['no boolean', 'device.driver', 'it is neither true nor false'],
    ['what has no order', 'device.driver < 1', 'no such overload: string compared with int'],
    ['what cannot be added', 'device.driver + 1 == 2', 'no such overload: string + int'],
    ['an overflow', '9223372036854775807 + 1 > 0', 'an integer overflows'],
    ['a division by zero', '1 / 0 == 1', 'a number is divided by zero'],
    ['broken syntax', 'device.', 'a name is missing before ""'],
    ['a sign that CEL does not know', 'device.driver = "x"', 'syntax error at "= \\"x\\""'],
    ['two expressions', 'true true', 'syntax error at "true"'],
    ['a bad quantity', 'quantity("1 Gi").sign() == 1', '"1 Gi" is no quantity'],
    ['a pattern that cannot be read', '"a".matches("(")', 'the pattern ( cannot be read'],
  ])('when it holds %s › the problem is named', (_, expression, problem) => {
    expect(answerTo(expression)).toBe(problem);
  });

  test.each([
    ['nested lists', `[${'1,'.repeat(99)}1]`.replace(/^(.*)$/, '$1.all(a, $1.all(b, $1.all(c, $1.all(d, a + b + c + d > 0))))')],
    ['a pattern with many states on a long text', `"${'a'.repeat(1024)}".matches("(a{0,60}){60}b")`],
    ['a pattern with too many states', '"a".matches("(((a{1000}){1000}){1000}){1000}")'],
    ['nested copies of nothing', '"a".matches("(((){1000}){1000}){1000}")'],
    ['parentheses', `${'('.repeat(2000)}true${')'.repeat(2000)}`],
    ['its length', `device.driver == "${'x'.repeat(11_000)}"`],
    ['a text that doubles', `cel.bind(a, "${'x'.repeat(500)}", ${'cel.bind(a, a + a, '.repeat(30)}a == "y"${')'.repeat(30)})`],
  ])('when it is made to take long by %s › it ends with a problem', (_, expression) => {
    expect(typeof answerTo(expression)).toBe('string');
  });

  const long = 'a'.repeat(80);
  // Each doubles the time of a search that backtracks with every character.
  test.each([
    ['repeats a repetition', `"${long}!".matches("^(a+)+$")`, false],
    ['repeats a choice', `"${long}!".matches("^((a|a)b?)*$")`, false],
    ['has many optional characters', `"${long}".matches("^${'a?'.repeat(80)}${long}$")`, true],
    ['has many optional characters before one that is missing', `"${long}".matches("${'a?'.repeat(80)}${long}b")`, false],
    ['has many choices', `"${'a'.repeat(40)}".matches("^${'(a|a)'.repeat(40)}b")`, false],
    ['has three repetitions on a long text', `"${'a'.repeat(1000)}".matches("a*a*a*b")`, false],
  ])('when a pattern %s › it is answered in time that grows with the text', (_, expression, expected) => {
    expect(answerTo(expression)).toBe(expected);
  });
});
