import type { MarkdownRenderer } from 'vitepress';

/**
 * Lets long names in text break where a reader would: after what joins their words (`karpenter_nodes_created_total`, `spec.template.spec`), and before the
 * capitals of `terminationGracePeriodSeconds`.
 */
export const breakNames = ({ renderer }: MarkdownRenderer): void => {
  const { code_inline: written } = renderer.rules;
  if (written === undefined) throw new Error('names in text are written in some other way');
  renderer.rules.code_inline = (...of) => written(...of).replaceAll(/(?<=>[^<>]*(?:[_./=,|]|[a-z](?=[A-Z])))(?=[^<>]*<\/code>)/g, '<wbr>');
};

/** Makes the head of a column without a name a plain cell, because screen readers announce heads. */
export const nameHeadsOnly = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push('named-heads', ({ tokens }) => {
    for (const [index, open] of tokens.entries()) {
      const [content, close] = tokens.slice(index + 1, index + 3);
      if (open.type === 'th_open' && close !== undefined && content?.content === '') open.tag = close.tag = 'td';
    }
  });
};
