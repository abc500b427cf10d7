import type { Field, BodyShape } from './shape.ts';

/** Dotted path of a member → what it is held to beyond what its model says. */
export type Narrower = Readonly<Record<string, (field: Field) => Field>>;

/** It must be there. */
export const requireField = (field: Field): Field => ({ ...field, required: true });

/** It must be of this shape. */
export const only =
  (shape: BodyShape) =>
  (field: Field): Field => ({ ...field, shape });

/** The same, and it must be there. */
export const requireShape =
  (shape: BodyShape) =>
  (field: Field): Field => ({ ...field, shape, required: true });

/** A narrower whose paths begin at a member. */
export const below = (path: string, narrower: Narrower): Narrower =>
  Object.fromEntries(Object.entries(narrower).map(([member, narrow]) => [`${path}.${member}`, narrow]));

const narrowedAt = (shape: BodyShape, [member = '', ...deeper]: readonly string[], narrow: (field: Field) => Field): BodyShape => {
  const field = shape.kind === 'record' ? shape.fields[member] : undefined;
  if (shape.kind !== 'record' || field === undefined) throw new Error(`there is no member ${member} to be narrowed`);
  const replaced = deeper.length === 0 ? narrow(field) : { ...field, shape: narrowedAt(field.shape, deeper, narrow) };
  return { ...shape, fields: { ...shape.fields, [member]: replaced } };
};

/** A shape with some members held to more. A path that leads nowhere is a mistake in the narrower: it throws. */
export const narrowedBody = (shape: BodyShape, narrower: Narrower): BodyShape =>
  Object.entries(narrower).reduce((sum, [path, narrow]) => narrowedAt(sum, path.split('.'), narrow), shape);
