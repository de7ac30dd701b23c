import { type Ids, type RandomBytes } from '../ids.ts'
import { authorized, hasRole, type Operator } from '../access/operator.ts'
import type { OpenProposal, ProposalNote } from '../proposal/proposal.ts'
import { defaultProposalSettings, newProposal, type ProposalSettings } from '../proposal/proposal-settings.ts'
import type { Clock } from '../time.ts'
import { type ApiKey, type ApiKeyKind, apiKeyKinds, apiKeyStatusAt, keyNeedsTwo, makeApiKey } from './api-key.ts'
import type { TenantStore } from '../tenant/ports.ts'
import type { ApiKeyStore } from './ports.ts'
import { checkSettings } from '../check-settings.ts'

/** The members of a new key that an operator chooses. */
export type NewApiKey = Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'> & Partial<Pick<ApiKey, 'allowedAddresses'>>

/** A new key, which is answered only here, or why none was issued. */
export type IssueApiKeyAnswer =
  | {
      readonly type: 'issued'
      readonly key: string
      readonly record: ApiKey
      /** The proposal of the key that does not work until another admin approves it; null when it works at once. */
      readonly proposal: OpenProposal | null
    }
  | {
      readonly type: 'refused'
      readonly code:
        /** No such tenant, or no such key. */
        | 'not_found'
        /** The key to be replaced does not work any more, or not yet. */
        | 'not_active'
        /** Only an admin issues a key that pays. */
        | 'needs_admin'
        | 'already_expired'
        /** A second person has to approve the key, and `note` is missing. */
        | 'needs_note'
    }

/**
 * An operator's actions on API keys; the audit log records each. Every method throws `Unauthorized` without the active
 * token of an operator, or of an admin for a key that pays and for addresses.
 */
export type ManageApiKeys = {
  /** Issues a key. One that moves real money needs the approval of another admin. */
  issue(operator: Operator, tenantId: string, input: NewApiKey, note?: ProposalNote): Promise<IssueApiKeyAnswer>
  /**
   * Issues a key with the name, rights and life of another one, which expires `overlapSeconds` after the new one
   * works. A live key that pays needs the approval of another admin, as the new key is shown to one person.
   */
  rotate(operator: Operator, id: string, overlapSeconds: number, note?: ProposalNote): Promise<IssueApiKeyAnswer>
  /**
   * Sets the addresses from which the key may be used, which counts within `keyCacheSeconds`.
   *
   * @returns the record, `not_found` also when it is revoked
   */
  setAllowedAddresses(
    operator: Operator,
    id: string,
    addresses: readonly string[] | null,
  ): Promise<ApiKey | 'not_found'>
  /** Revokes the key, which stops working within `keyCacheSeconds`. Idempotent. Undefined when there is no such key. */
  revoke(operator: Operator, id: string): Promise<true | undefined>
}

/** The ports of `manageApiKeys`. */
export type ManageApiKeysPorts = {
  readonly apiKeys: ApiKeyStore
  readonly tenants: Pick<TenantStore, 'find'>
  readonly ids: Ids
  readonly random: RandomBytes
  readonly now: Clock
}

/**
 * Issues, rotates and revokes API keys. Every method throws `Unavailable` when the store cannot be reached.
 *
 * @example
 * ```ts
 * const apiKeys = manageApiKeys(ports, 'test')
 * const input = { name: 'reports', scopes: ['wallet:read'], expiresAt: null } as const
 * const issued = await apiKeys.issue(ana, tenant.id, input)
 * if (issued.type === 'refused') throw new Error(issued.code)
 * console.log(issued.key.startsWith('qpu_test_'), issued.record.scopes) // true [ 'wallet:read' ]
 * console.log(await apiKeys.revoke(ana, issued.record.id)) // true
 * ```
 */
export function manageApiKeys(
  ports: ManageApiKeysPorts,
  kind: ApiKeyKind,
  settings: Pick<ProposalSettings, 'approvableSeconds'> = defaultProposalSettings,
): ManageApiKeys {
  checkSettings('manageApiKeys', { kind }, { kind: apiKeyKinds })
  checkSettings('manageApiKeys', settings, { approvableSeconds: 'positive' })
  return {
    async issue(operator, tenantId, input, note) {
      if (!(await ports.tenants.find(tenantId))) return refused('not_found')
      const createdAt = ports.now()
      if (input.expiresAt !== null && input.expiresAt <= createdAt) return refused('already_expired')
      const { allowedAddresses = null } = input
      const made = makeRecord(ports, kind, { ...input, tenantId, createdAt, allowedAddresses })
      return issue(ports, settings, operator, { ...made, note })
    },

    async rotate(operator, id, overlapSeconds, note) {
      const old = await ports.apiKeys.find(id)
      if (!old) return refused('not_found')
      const createdAt = ports.now()
      if (apiKeyStatusAt(old, createdAt) !== 'active') return refused('not_active')
      const lifeMs = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime()
      const expiresAt = lifeMs === null ? null : new Date(createdAt.getTime() + lifeMs)
      const replaces = { keyId: id, overlapSeconds }
      const made = makeRecord(ports, kind, { ...old, createdAt, expiresAt, replaces })
      return issue(ports, settings, operator, { ...made, note })
    },

    async setAllowedAddresses(operator, id, addresses) {
      const record = await ports.apiKeys.find(id)
      if (!record) return 'not_found'
      const by = { ...operator, at: ports.now() }
      const result = authorized(await ports.apiKeys.setAllowedAddresses(record, addresses, by))
      return result === 'stale' ? 'not_found' : { ...record, allowedAddresses: addresses }
    },

    async revoke(operator, id) {
      const record = await ports.apiKeys.find(id)
      if (!record) return undefined
      if (record.revokedAt) return true
      // Safe to ignore: `stale` means that it has been revoked concurrently.
      authorized(await ports.apiKeys.revoke(record, { ...operator, at: ports.now() }))
      return true
    },
  }
}

const refused = (code: Extract<IssueApiKeyAnswer, { type: 'refused' }>['code']): IssueApiKeyAnswer => ({
  type: 'refused',
  code,
})

type KeyTerms = Pick<ApiKey, 'tenantId' | 'createdAt' | 'allowedAddresses'> &
  NewApiKey &
  Partial<Pick<ApiKey, 'replaces'>>

function makeRecord(
  { ids, random }: ManageApiKeysPorts,
  kind: ApiKeyKind,
  { tenantId, name, scopes, createdAt, expiresAt, replaces = null, allowedAddresses }: KeyTerms,
): { readonly key: string; readonly record: ApiKey } {
  const { key, ...kept } = makeApiKey(kind, random, ids.cell)
  const activatedAt = keyNeedsTwo({ ...kept, scopes }) ? null : createdAt
  const record = {
    id: ids.next('key', createdAt),
    tenantId,
    name,
    ...kept,
    scopes,
    createdAt,
    activatedAt,
    lastUsedAt: null,
    expiresAt,
    revokedAt: null,
    replaces,
    allowedAddresses,
  }
  return { key, record }
}

async function issue(
  ports: ManageApiKeysPorts,
  settings: Pick<ProposalSettings, 'approvableSeconds'>,
  operator: Operator,
  made: { readonly key: string; readonly record: ApiKey; readonly note: ProposalNote | undefined },
): Promise<IssueApiKeyAnswer> {
  const { key, record, note } = made
  if (record.scopes.includes('payouts:write') && !hasRole(operator.role, 'admin')) return refused('needs_admin')
  const needsTwo = keyNeedsTwo(record)
  if (needsTwo && !note) return refused('needs_note')
  const proposed = note && { ...issueOf(record), ...note }
  const proposal = needsTwo && proposed ? newProposal(ports.ids, settings, operator, record.createdAt, proposed) : null
  const result = proposal ? ports.apiKeys.propose(record, proposal, operator) : ports.apiKeys.issue(record, operator)
  authorized(await result)
  return { type: 'issued', key, record, proposal }
}

const issueOf = ({ id: keyId, tenantId, ...record }: ApiKey): Pick<OpenProposal, 'tenantId' | 'action'> => {
  const { name, lastFour, scopes, expiresAt, replaces, allowedAddresses } = record
  const key = { keyId, name, lastFour, scopes, expiresAt, replaces, allowedAddresses }
  return { tenantId, action: { type: 'issue_api_key', ...key } }
}
