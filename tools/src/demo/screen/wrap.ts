/**
 * The words of `text` as lines of at most `width` characters; further lines stand two deeper than the first. A longer
 * word is broken.
 */
export const wrap = (text: string, width: number): readonly string[] => {
  const indent = ' '.repeat(Math.min((/^[ ▸·✔✘]*/u.exec(text)?.[0].length ?? 0) + 2, Math.floor(width / 2)));
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > indent.length ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = indent + rest.slice(end).trimStart();
  }
  return [...lines, rest];
};
