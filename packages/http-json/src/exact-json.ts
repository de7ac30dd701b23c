/** JSON with numbers as their original text, so that none becomes a float. */
export type ExactJson = string | boolean | null | readonly ExactJson[] | { readonly [name: string]: ExactJson }

type ParseWithSource = (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source: string }) => unknown,
) => ExactJson

/** @throws SyntaxError if the text is not JSON */
export const parseExactJson = (text: string): ExactJson =>
  (JSON.parse as ParseWithSource)(text, (_name, value, { source }) => (typeof value === 'number' ? source : value))

/**
 * The string, or the text of the number, at a path.
 *
 * @param path  names and indexes joined by dots: `data.0.adv.price`
 */
export function textAt(json: ExactJson, path: string): string | undefined {
  let found: ExactJson | undefined = json
  for (const name of path.split('.')) found = memberOf(found, name)
  return typeof found === 'string' ? found : undefined
}

const memberOf = (json: ExactJson | undefined, name: string): ExactJson | undefined =>
  typeof json === 'object' && json !== null && Object.hasOwn(json, name)
    ? (json as Readonly<Record<string, ExactJson>>)[name]
    : undefined
