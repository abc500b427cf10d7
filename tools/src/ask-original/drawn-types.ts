import type { PlainQuestion } from '../compare-original/plain-question.ts';
import type { Draws } from './draws.ts';

/** An instance type as questions have it. */
export type QuestionType = PlainQuestion['types'][number];

/** A device that some types have as an extended resource. */
export const GPU = 'example.com/gpu';
/** A label of all types whose values are numbers: for `Gt` and `Lt`. */
export const GENERATION = 'example.com/generation';
export const generations: readonly string[] = ['3', '4', '5', '10'];
/** A label of all types. */
export const FAMILY = 'example.com/family';
export const families: readonly string[] = ['d', 'e', 'f'];

/** Dollars an hour. */
const priceOf = (cpus: number, gibibytes: number): number => cpus * 0.03 + gibibytes * 0.004;
const PRICE_OF_GPU = 1.1;

const rounded = (price: number): number => Number(price.toFixed(5));

/** Missing from some zones; on demand dearer by up to a tenth, spot at 15 to 95 percent. At least one is there. */
const drawOfferings = (draws: Draws, zones: readonly string[], price: number): QuestionType['Offerings'] => {
  const all = zones.flatMap((Zone) =>
    ['on-demand', 'spot'].map((CapacityType) => {
      const percent = CapacityType === 'on-demand' ? draws.between(100, 110) : draws.between(15, 95);
      return { Zone, CapacityType, Price: rounded((price * percent) / 100) };
    }),
  );
  return all.filter((_, index) => draws.chance(85) || index === 0);
};

const drawType = (draws: Draws, zones: readonly string[], index: number): QuestionType => {
  const cpus = draws.oneOf([1, 2, 4, 8, 16, 32, 64]);
  const ratio = draws.oneOf([1, 2, 4, 8]);
  const arch = draws.oneOf(['amd64', 'amd64', 'amd64', 'arm64']);
  const gpus = draws.chance(15) ? draws.oneOf([1, 2, 4]) : 0;
  const share = draws.oneOf([0.8, 1, 1, 1.3]) * (arch === 'arm64' ? 0.85 : 1);
  return {
    Name: `t${index}-${cpus}x${ratio}`,
    CpuMillis: cpus * 1000,
    Memory: cpus * ratio * 2 ** 30,
    Pods: draws.oneOf([8, 30, 58, 110, 250]),
    Arch: arch,
    Offerings: drawOfferings(draws, zones, priceOf(cpus, cpus * ratio) * share + gpus * PRICE_OF_GPU),
    Labels: { [GENERATION]: [draws.oneOf(generations)], [FAMILY]: [draws.oneOf(families)] },
    ...(gpus > 0 && { Resources: { [GPU]: String(gpus) } }),
  };
};

/** One to thirty instance types. */
export const drawTypes = (draws: Draws, zones: readonly string[]): readonly QuestionType[] =>
  draws.times(draws.oneOf([1, 2, 5, 9, 17, 30]), (index) => drawType(draws, zones, index));
