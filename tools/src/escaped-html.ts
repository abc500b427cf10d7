const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text to be written between the tags of a page. */
export const escapedHtml = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => ESCAPED[sign] ?? sign);
