/** On-demand offerings of an instance type: zone → price an hour. */
export const offeredIn = (prices: Readonly<Record<string, number>>) =>
  Object.entries(prices).map(([zone, pricePerHour]) => ({ zone, capacityType: 'on-demand', pricePerHour }));
