import type { ConversionNote, ManifestShape } from './conversion.ts';
import { asObject } from './manifest.ts';
import type { Manifest } from './manifest.ts';

const at = (manifest: Manifest, path: string): unknown => path.split('.').reduce<unknown>((value, name) => asObject(value)[name], manifest);

const isOfShape = (value: unknown, shape: ManifestShape): boolean =>
  shape === 'list' ? Array.isArray(value) : typeof value === 'object' && !Array.isArray(value);

/** A note for each field in which something else is written than what belongs there, and which no server would have taken. */
export const misshapen = (manifest: Manifest, shapes: Readonly<Record<string, ManifestShape>>): readonly ConversionNote[] =>
  Object.entries(shapes).flatMap(([field, shape]) => {
    const value = at(manifest, field);
    if (value === undefined || value === null || isOfShape(value, shape)) return [];
    return [{ field, note: `is ${JSON.stringify(value)}: expected ${shape === 'list' ? 'a list' : 'an object'}`, mustBeMended: true }];
  });
