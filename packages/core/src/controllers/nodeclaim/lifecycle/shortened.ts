const LONGEST = 300;

/** A message as a condition shows it: 300 characters, then `...`. */
export const shortened = (message: string): string => (message.length > LONGEST ? `${message.slice(0, LONGEST)}...` : message);
