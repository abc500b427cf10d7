import fc from 'fast-check';
import { stringify } from 'yaml';

/** What YAML has and JSON has not, put in the place of a value: names of anchors may be those of what contains them. */
const YAML_PARTS = [
  '*a',
  '*b',
  '&a',
  '&b {x: *b}',
  '&b [*a, *a]',
  '!!binary aGk=',
  '!!set {x}',
  '!odd x',
  '? {x: y}',
  '<<: *a',
  '|',
  '{{ .x }}',
];

/** One of the documents as YAML, with such parts at drawn places; as itself, in a List, or before another document. */
export const yamlTextsOf = (documents: readonly object[]): fc.Arbitrary<string> =>
  fc
    .record({
      document: fc.constantFrom(...documents),
      parts: fc.array(fc.record({ at: fc.nat(40), part: fc.constantFrom(...YAML_PARTS) }), { maxLength: 4 }),
      frame: fc.constantFrom(
        '%',
        '&a\n%',
        '%\n---\n%',
        '&a\napiVersion: v1\nkind: List\nitems: [*a]\n',
        '---\n...\n---\n%',
        'a: &a 1\na: *a\n',
        '%YAML 1.1\n---\n<<: *a\n%',
        '%YAML 1.1\n---\n<<: 5\n%',
        'kind: Pod\nkind: Pod\n%',
      ),
    })
    .map(({ document, parts, frame }) => {
      const lines = stringify(document).split('\n');
      for (const { at, part } of parts) {
        const line = at % lines.length;
        lines[line] = (lines[line] ?? '').replace(/(: ?|- )(.*)$/, (_, before: string) => `${before.trimEnd()} ${part}`);
      }
      return frame.replaceAll(/%(?!YAML)/g, () => lines.join('\n'));
    });
