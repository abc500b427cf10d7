import { describe, expect, test } from '@jest/globals';
import { parseAzureOptions } from './azure-options-parser.ts';

const parsed = (committed: string) => parseAzureOptions({ env: {}, flags: { 'committed-prices': committed } });
const problemsOfPrices = (committed: string): readonly string[] => {
  const result = parsed(committed);
  return result.ok ? [] : result.problems.filter((problem) => problem.includes('committed-prices'));
};

describe('stated prices', () => {
  test.each(['Standard_D4s_v5=0.11', 'Standard_D4s_v5=0', 'Standard_E96-24ads_v5=1.5, Ds_v5=-37%', 'Dpls_v6=-37.5%,M=-10%,*=-100%', ''])(
    'may be %s',
    (text) => expect(problemsOfPrices(text)).toEqual([]),
  );

  test.each([
    ['Standard_D4s_v5', '"Standard_D4s_v5" is none'],
    ['Standard_D4s_v5=cheap', '"Standard_D4s_v5=cheap" is none'],
    ['Standard_D4s_v5=-0.1', '"Standard_D4s_v5=-0.1" is none'],
    ['Ds_v5=37%', '"Ds_v5=37%" is none'],
    ['Ds_v5=-101%', '"Ds_v5=-101%" is none'],
    ['D4s_v5=0.1', '"D4s_v5=0.1" is none'],
    ['Ds_v5=-10%,', '"" is none'],
    ['Ds_v5=-10%,*=-5%,Ds_v5=-20%', 'each size and series once; "Ds_v5" is there twice'],
  ])('may not be %s, and the entry is named', (text, why) => {
    const [problem, ...more] = problemsOfPrices(text);
    expect(problem).toContain(`--committed-prices (COMMITTED_PRICES) is ${JSON.stringify(text)}: expected`);
    expect(problem).toContain(why);
    expect(more).toEqual([]);
  });
});
