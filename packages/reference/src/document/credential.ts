import type { OpenApi, SecurityScheme } from './open-api.ts'

/** How the page sends what a reader authenticates with. */
export type Credential = {
  readonly label: 'Key' | 'Token'
  readonly header: string
  /** Stands before the key or token in the header’s value. */
  readonly prefix: string
  /** The environment variable that samples read it from. */
  readonly variable: string
}

/** The credential of a security scheme: the header of an API key, or a bearer token. */
export const credentialOf = ({ type, name }: SecurityScheme): Credential =>
  type === 'http' || name === undefined
    ? { label: 'Token', header: 'Authorization', prefix: 'Bearer ', variable: 'QUIPU_OPERATOR_TOKEN' }
    : { label: 'Key', header: name, prefix: '', variable: 'QUIPU_API_KEY' }

/** The credential of the whole document; undefined when it has no security scheme. */
export function documentCredential({ components }: OpenApi): Credential | undefined {
  const [scheme] = Object.values(components.securitySchemes ?? {})
  return scheme && credentialOf(scheme)
}
