import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { goKind } from '../json/go-text.ts';
import { badRequest } from '../status/refusals.ts';

const TYPE_META = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Why a body that is no object says neither version nor kind. */
export const kindlessText = (body: JsonValue | undefined): string => {
  const why =
    body === undefined ? 'unexpected end of JSON input' : `json: cannot unmarshal ${goKind(body)} into Go value of type ${TYPE_META}`;
  return `couldn't get version/kind; json parse error: ${why}`;
};

/** The body as an object. Throws an `ApiError` (`BadRequest`) when it is none. */
export const objectBody = (body: JsonValue | undefined, kind: string): JsonObject => {
  if (isObject(body)) return body;
  const shown = body === undefined ? '<empty>' : Buffer.from(JSON.stringify(body)).toString('hex');
  throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${kindlessText(body)} (${shown})`);
};
