/** A MicroTime as the API server writes it: RFC 3339 with six decimals. */
export const microTime = (epochMs: number): string => new Date(epochMs).toISOString().replace('Z', '000Z');
