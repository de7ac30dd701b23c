import type { Acting, Credential } from '../access/operator.ts'
import type { Page, PageQuery } from '../page.ts'
import type { OpenProposal } from '../proposal/proposal.ts'
import type { ApiKey, Caller, KeyReplacement } from './api-key.ts'

/** The key of an API key's record. */
export type ApiKeyRef = Pick<ApiKey, 'id' | 'tenantId'>

/** The key that a tenant presents to change its keys. */
export type PresentedKey = {
  readonly hash: string
  /** The source address of the request; null where it had none. */
  readonly address: string | null
  readonly at: Date
}

/** The members that a rotation gives a new key. */
export type RotatedKey = Pick<ApiKey, 'id' | 'hash' | 'lastFour'> & { readonly replaces: KeyReplacement }

/** Stores API keys. Every method throws `Unavailable` when the database cannot be read or written. */
export type ApiKeyStore = {
  /**
   * Inserts an active key that is neither used nor revoked, with the audit entry `keyIssued`. A key that it
   * replaces then expires at `replacedKeyExpiry`, with the audit entry `keyRotated`. `unauthorized`, and nothing
   * written, without the active token of an operator, or of an admin where the key has `payouts:write`.
   *
   * @throws Error when it needs two people (`keyNeedsTwo`), or replaces a key with other rights
   */
  issue(key: ApiKey, by: Credential): Promise<'committed' | 'unauthorized'>
  /**
   * Inserts a key that is not active, and the proposal to activate it, with the audit entry `auditProposal`.
   * `ProposalStore.commit` of the approval activates it, with the audit entries of `issue`. `unauthorized`, and
   * nothing written, without the active token of an admin.
   */
  propose(key: ApiKey, proposal: OpenProposal, by: Credential): Promise<'committed' | 'unauthorized'>
  /**
   * Sets the addresses from which the key may be used, with the audit entry `keyAddressesSet`. `unauthorized`:
   * without the active token of an admin. `stale`: the tenant has no such key, or it is revoked.
   */
  setAllowedAddresses(
    key: ApiKeyRef,
    addresses: readonly string[] | null,
    by: Acting,
  ): Promise<'committed' | 'stale' | 'unauthorized'>
  find(id: string): Promise<ApiKey | undefined>
  /** Finds a key whether it is usable or not: the caller checks `isKeyUsable`. */
  findCaller(hash: string): Promise<Caller | undefined>
  list(tenantId: string, query: PageQuery): Promise<Page<ApiKey>>
  /**
   * Revokes the key, with the audit entry `keyRevoked`. `unauthorized`: without the active token of an operator.
   * `stale`: the tenant has no such key, or it is revoked.
   */
  revoke(key: ApiKeyRef, by: Acting): Promise<'committed' | 'stale' | 'unauthorized'>
  /**
   * Revokes a key of the presented one's tenant, as `revoke`; the entry's actor is the presented key's id.
   * `unauthorized`: it does not work, or lacks `keys:write`. `last`: it revokes itself, and no other key that works
   * has `keys:write`.
   */
  revokeOwn(id: string, by: PresentedKey): Promise<'committed' | 'stale' | 'last' | 'unauthorized'>
  /**
   * Inserts a key with the name, scopes and addresses of the one that it replaces, which expires with that one, and
   * no later than the presented key; with the audit entries of `issue`. `stale`: the presented key's tenant has no such
   * key, or it does not work. `wider`: it has a scope that the presented one lacks, or that one is limited to other
   * addresses. `unauthorized` as `revokeOwn`.
   */
  rotateOwn(key: RotatedKey, by: PresentedKey): Promise<'committed' | 'stale' | 'wider' | 'unauthorized'>
  /** Sets `lastUsedAt`, unless it is later already. */
  touch(key: ApiKeyRef, at: Date): Promise<void>
}
