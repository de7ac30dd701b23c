import { sha256 } from '@quipu/core/adapter'

/**
 * A versioned digest of the body's members as sent: equal requests have equal fingerprints.
 *
 * The order of members and white space do not matter, and a member that is null is the same as none: typed clients
 * send one or the other. Defaults are not filled in and values are not normalised: the same UUID in another case is
 * another body.
 *
 * @param body  as JSON.parse gave it
 */
export const fingerprint = (body: unknown): string => `v1:${sha256(canonicalJson(body, false))}`

/** As `fingerprint`, for bodies in which a null means something, such as "no limit". */
export const exactFingerprint = (body: unknown): string => `v1:${sha256(canonicalJson(body))}`

/** JSON without white space, its members sorted by name at every level. */
export function canonicalJson(value: unknown, hasNulls = true): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each, hasNulls)).join()}]`
  const object = value as Readonly<Record<string, unknown>>
  let members = ''
  for (const name of Object.keys(object).sort()) {
    const member = object[name]
    if (member === null && !hasNulls) continue
    members += `${members && ','}${JSON.stringify(name)}:${canonicalJson(member, hasNulls)}`
  }
  return `{${members}}`
}
