import type { ApiKeyScope } from '../access/api-key-scope.ts'

type Details = Readonly<Record<string, string>>

/** Activates an API key that moves real money. Executed by the commit of the approval. */
export type IssueApiKey = {
  readonly type: 'issue_api_key'
  readonly keyId: string
  readonly name: string
  readonly lastFour: string
  readonly scopes: readonly ApiKeyScope[]
  readonly expiresAt: Date | null
  readonly replaces: { readonly keyId: string; readonly overlapSeconds: number } | null
  readonly allowedAddresses: readonly string[] | null
}

/** The parameters of a key's issue, as a store keeps them. */
export function keyDetails(action: IssueApiKey): Details {
  const { name, lastFour, scopes, expiresAt, replaces, allowedAddresses } = action
  return {
    name,
    last_four: lastFour,
    scopes: scopes.join(' '),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    ...(replaces && { replaces: replaces.keyId, overlap_seconds: replaces.overlapSeconds.toString() }),
    ...(allowedAddresses && { allowed_addresses: allowedAddresses.join(' ') }),
  }
}

/** The inverse of `keyDetails`. */
export function keyFromDetails(
  keyId: string,
  { name = '', last_four: lastFour = '', scopes = '', expires_at: at, ...more }: Details,
): IssueApiKey {
  const { replaces, overlap_seconds: seconds, allowed_addresses: addresses } = more
  return {
    type: 'issue_api_key',
    keyId,
    name,
    lastFour,
    scopes: scopes.split(' ') as ApiKeyScope[],
    expiresAt: at === undefined ? null : new Date(at),
    replaces: replaces === undefined ? null : { keyId: replaces, overlapSeconds: Number(seconds) },
    allowedAddresses: addresses === undefined ? null : addresses.split(' '),
  }
}
