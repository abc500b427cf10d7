/** What a comment right above a block says of it: `<!-- source: tools/src/snippets/plan-one-pod.ts -->`. */
export interface FenceMark {
  /**
   * `source`: the block is a file of the repository, `part`: a part of one. `output`: it is all that the file prints
   * when it is run, `excerpt`: a part of that. Parts may be wrapped otherwise. `checked`: by the check of that name.
   */
  readonly kind: 'source' | 'part' | 'output' | 'excerpt' | 'checked';
  /** A path from the root of the repository, or the name of a check. */
  readonly of: string;
}

/** A fenced block of a Markdown page. */
export interface Fence {
  /** Path of the page from the root of the repository. */
  readonly page: string;
  readonly line: number;
  /** As it stands behind the backticks; may be empty. */
  readonly language: string;
  /** Without the indent of the block; ends with a line feed. */
  readonly text: string;
  readonly mark?: FenceMark;
}

const FENCE = /(?:^ *<!-- (source|part|output|excerpt|checked): (\S+) -->\n)?^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;

/** The fenced blocks of a page, in their order. */
export const fencesIn = (page: string, markdown: string): readonly Fence[] =>
  [...markdown.matchAll(FENCE)].map(({ index, 1: kind, 2: of = '', 3: indent = '', 4: language = '', 5: text = '' }) => ({
    page,
    line: markdown.slice(0, index).split('\n').length,
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    ...(kind === undefined ? {} : { mark: { kind: kind as FenceMark['kind'], of } }),
  }));

/** Where a block stands, as an editor takes it. */
export const fencePlaceOf = ({ page, line }: Fence): string => `${page}:${line}`;
