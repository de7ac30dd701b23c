import type { Credential } from '@quipu/core/operator'

/** The parameter `by` of the functions that act for a person (`acting_operator` in migrations/0024-operator-tokens.sql). */
export const credentialJson = ({ tokenHash, address, session }: Credential): string =>
  JSON.stringify({ token_hash: tokenHash, address, session })
