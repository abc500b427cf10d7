/** The UTF-8 bytes of a text in base64, as Azure takes user data. */
export const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
