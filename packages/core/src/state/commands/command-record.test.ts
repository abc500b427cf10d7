import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../apis/index.ts';
import { commandRecordOf, commandRecordText, REPLACES_ANNOTATION } from './command-record.ts';

const saying = (text: string): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', annotations: { [REPLACES_ANNOTATION]: text } },
  spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
});

describe('the record of a command on its replacement', () => {
  test('is read as it was written', () => {
    const record = {
      ...{ id: 'drift-1-a', method: 'drift', reason: 'Drifted', startedMs: 1 },
      ...{ candidates: ['a'], replacements: 1, savingsPerHour: -0.1 },
    };
    expect(commandRecordOf(saying(commandRecordText(record)))).toEqual(record);
  });

  test.each(['', 'no json', 'null', '[]', '{"id":"x"}'])('is none when somebody wrote %j there', (text) => {
    expect(commandRecordOf(saying(text))).toBeUndefined();
  });
});
