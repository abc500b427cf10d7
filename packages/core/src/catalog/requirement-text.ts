import { getOrMake, WeakMemory } from '../base/index.ts';
import type { Requirement, Requirements } from '../requirements/index.ts';

/** Longer texts are replaced by a number: they would be hashed and joined again with each use. */
const LONGEST_TEXT = 256;
/**
 * Pod authors write the texts, so that what is kept of them is bounded. Numbers are never given twice: forgetting costs
 * a second answer, nothing else.
 */
const MOST_CHARACTERS = 8_000_000;
const longTexts = new Map<string, number>();
let characters = 0;
let lastNumber = 0;

/** Forgets what long texts stand for; they are counted on from where they were. For when memory is short. */
export const forgetLongTexts = (): void => {
  longTexts.clear();
  characters = 0;
};

/** The text itself, or a short one that stands for it. */
const shortened = (text: string): string => {
  if (text.length <= LONGEST_TEXT) return text;
  const known = longTexts.get(text);
  if (known !== undefined) return `#${known}`;
  characters += text.length;
  if (characters > MOST_CHARACTERS) {
    longTexts.clear();
    characters = text.length;
  }
  longTexts.set(text, (lastNumber += 1));
  return `#${lastNumber}`;
};

const textOf = ({ key, values, mayBeAbsent }: Requirement): string => {
  const [first = ''] = values.values;
  const listed = values.values.size === 1 ? `[${JSON.stringify(first)}]` : JSON.stringify([...values.values].sort());
  const bounds = values.kind === 'in' ? '' : `${values.gte ?? ''}..${values.lte ?? ''}`;
  return `${key} ${values.kind}${mayBeAbsent ? '?' : ''} ${listed}${bounds}`;
};

const texts = new WeakMemory<Requirement, { readonly text: string }>();
const boxedText = (requirement: Requirement): { readonly text: string } => ({ text: requirementTextOnce(requirement) });

/** `requirementText` of a requirement that is read once: of thousands of offerings none is worth being remembered. */
export const requirementTextOnce = (requirement: Requirement): string => shortened(textOf(requirement));

/**
 * One text for all requirements with the same meaning: a key to remember answers by, not for people. `minValues` is
 * left out. Made once for each requirement.
 */
export const requirementText = (requirement: Requirement): string => getOrMake(texts, requirement, boxedText).text;

/** The same for a whole set, whatever the order of its keys. */
export const requirementsText = (requirements: Requirements): string => {
  const each = Array.from(requirements.values(), requirementText);
  return each.length > 1 ? shortened(each.sort().join('\n')) : (each[0] ?? '');
};
