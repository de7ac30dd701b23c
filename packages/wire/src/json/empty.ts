import { members } from './fields.ts'
import { parseQuery } from './query.ts'
import { mapParsed, parse, type Parsed } from './parsed.ts'

/** A body without members. */
export const noMembers = members({}, 'in this body, which has no members')

/** The body of an operation that takes no members. */
export const noBody = { schema: noMembers, examples: { empty: {} }, optional: true } as const
const noParameters = members({}, 'here: this endpoint takes no query parameters')

/** Reads the query of an endpoint that takes no parameters. */
export const parseNoQuery = (search: URLSearchParams | string): Parsed<undefined> =>
  mapParsed(parseQuery(noParameters, search), () => undefined)

/** Reads the body of an endpoint that takes no members: absent or `{}`. */
export const parseNoBody = (body: unknown): Parsed<undefined> =>
  body === undefined ? { ok: true, value: undefined } : mapParsed(parse(noMembers, body), () => undefined)
