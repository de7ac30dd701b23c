import { credentialOf } from '../document/credential.ts'
import type { Context } from '../document/context.ts'
import { exampleOf } from '../schema/fields.ts'
import type { Endpoint, Media, Operation } from '../document/open-api.ts'
import type { Pair, SampleRequest } from '../sample/sample-request.ts'

/** The JSON body of a request: the API takes no other media type. */
export const jsonOf = ({ requestBody }: Operation): Media | undefined => requestBody?.content['application/json']

/** The security scheme and the scopes of an operation. */
export function accessOf({ security = [] }: Operation): { scheme: string; scopes: readonly string[] } | undefined {
  const [found] = Object.entries(security[0] ?? {})
  return found && { scheme: found[0], scopes: found[1] }
}

/** The request of an operation with its first example; a reader without the script replaces the base. */
export function sampleOf(endpoint: Endpoint, context: Context): SampleRequest {
  const { method, path, operation } = endpoint
  const access = accessOf(operation)
  const scheme = access && context.document.components.securitySchemes?.[access.scheme]
  const pairsIn = (place: string): Pair[] =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === place && parameter.required)
      .map(({ name, schema }) => [name, String(exampleOf(schema, context))])
  const [first] = Object.values(jsonOf(operation)?.examples ?? {})
  return {
    operationId: operation.operationId,
    method,
    path,
    base: '$QUIPU_API_URL',
    pathValues: pairsIn('path'),
    query: pairsIn('query'),
    headers: pairsIn('header'),
    body: first ? JSON.stringify(first.value, null, 2) : '',
    credential: scheme && { ...credentialOf(scheme), shownKey: undefined },
  }
}
