import { credentialOf } from '../document/credential.ts'
import type { Context } from '../document/context.ts'
import type { Sample } from './curl.ts'
import { exampleOf } from '../schema/fields.ts'
import type { Endpoint, Media, Operation } from '../document/open-api.ts'

/** The JSON body of a request: the API takes no other media type. */
export const jsonOf = ({ requestBody }: Operation): Media | undefined =>
  requestBody?.content['application/json']

/** The security scheme and the scopes of an operation. */
export function accessOf({
  security = [],
}: Operation): { scheme: string; scopes: readonly string[] } | undefined {
  const [found] = Object.entries(security[0] ?? {})
  return found && { scheme: found[0], scopes: found[1] }
}

/** The request of an operation with its first example. */
export function sampleOf(endpoint: Endpoint, context: Context): Sample {
  const { operation } = endpoint
  const access = accessOf(operation)
  const scheme = access && context.document.components.securitySchemes?.[access.scheme]
  const given = (operation.parameters ?? [])
    .filter(({ in: place, required }) => place !== 'query' || required)
    .map((parameter) => ({ parameter, example: String(exampleOf(parameter.schema, context)) }))
  const [first] = Object.values(jsonOf(operation)?.examples ?? {})
  return {
    endpoint,
    credential: scheme && credentialOf(scheme),
    given,
    ...(first && { body: first.value }),
  }
}
