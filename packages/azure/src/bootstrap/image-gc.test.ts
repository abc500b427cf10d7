import { expect, test } from '@jest/globals';
import { imageGcOf } from './image-gc.ts';

test.each([
  ['a high one of 80 or less takes the low one along', { imageGCHighThresholdPercent: 70 }, { high: 70, low: 65 }],
  ['the least high one leaves room for no other', { imageGCHighThresholdPercent: 3 }, { high: 3, low: 0 }],
  ['a high one of 0 becomes 1', { imageGCHighThresholdPercent: 0 }, { high: 1, low: 0 }],
  ['a low one of 100 becomes 99', { imageGCLowThresholdPercent: 100 }, { high: 100, low: 99 }],
  ['a low one of 85 or more takes the high one along', { imageGCLowThresholdPercent: 90 }, { high: 95, low: 90 }],
  ['a high one above the default low one stands alone', { imageGCHighThresholdPercent: 81 }, { high: 81, low: undefined }],
  ['both are taken as they are', { imageGCHighThresholdPercent: 70, imageGCLowThresholdPercent: 60 }, { high: 70, low: 60 }],
  ['none are left to AKS', {}, { high: undefined, low: undefined }],
])('F10: thresholds of a class with which kubelet starts: %s', (_, kubelet, thresholds) => {
  expect(imageGcOf(kubelet)).toEqual(thresholds);
});
