import type { MarkdownRenderer } from 'vitepress';

/** Lets long names in text (`karpenter_nodes_created_total`, `spec.template.spec`) break where a reader would: after what joins their words. */
export const breakNames = ({ renderer }: MarkdownRenderer): void => {
  const { code_inline: written } = renderer.rules;
  if (written === undefined) throw new Error('names in text are written in some other way');
  renderer.rules.code_inline = (...of) => written(...of).replaceAll(/(?<=>[^<>]*[_./=,])(?=[^<>]*<\/code>)/g, '<wbr>');
};
