/** A count given as a number or as a percentage of `total`, rounded as the field that holds it wants. */
export const shareOf = (share: number | string, total: number, rounding: 'up' | 'down'): number => {
  if (typeof share === 'number') return share;
  const exact = (Number(share.replace('%', '')) * total) / 100;
  return rounding === 'up' ? Math.ceil(exact) : Math.floor(exact);
};
