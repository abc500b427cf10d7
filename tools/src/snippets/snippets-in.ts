/** A piece of a page that stands for a file of this repository: its text, or what it prints when it is run. */
export interface Snippet {
  readonly kind: 'source' | 'output';
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const MARKED_BLOCK = /<!-- (source|output): (\S+) -->\n```\w*\n([\s\S]*?)```/g;

/** The code blocks of a Markdown page that follow a `<!-- source: path -->` or `<!-- output: path -->`. */
export const snippetsIn = (markdown: string): readonly Snippet[] =>
  [...markdown.matchAll(MARKED_BLOCK)].map(([, kind, path = '', text = '']) => ({ kind: kind as Snippet['kind'], path, text }));
