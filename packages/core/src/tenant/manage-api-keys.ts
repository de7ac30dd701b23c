import type { Ids, RandomBytes } from '../ids.ts'
import type { Operator } from '../operator-token/operator.ts'
import {
  defaultProposalSettings,
  type ProposalNote,
  type ProposalSettings,
} from '../proposal/manage-proposals.ts'
import type { OpenProposal } from '../proposal/proposal.ts'
import type { Clock } from '../time.ts'
import { type ApiKey, type ApiKeyKind, keyNeedsTwo, makeApiKey } from './api-key.ts'
import type { ApiKeyStore, TenantStore } from './ports.ts'

/** The members of a new key that an operator chooses. */
export type NewApiKey = Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>

/** A new key, which is answered only here, or why none was issued. */
export type IssueApiKeyAnswer =
  | {
      readonly type: 'issued'
      readonly key: string
      readonly record: ApiKey
      /** Of the key that does not work until another admin approves it; null when it works at once. */
      readonly proposal: OpenProposal | null
    }
  | {
      readonly type: 'refused'
      readonly code:
        /** No such tenant. */
        | 'not_found'
        | 'already_expired'
        /** A second person has to approve the key, and `note` is missing. */
        | 'needs_note'
        /** The presented token is not an active one of an operator, or of an admin where the key pays. */
        | 'unauthorized'
    }

/** An operator's actions on API keys; the audit log records each. */
export type ManageApiKeys = {
  /** Issues a key. One that moves real money needs the approval of another admin. */
  issue(
    operator: Operator,
    tenantId: string,
    input: NewApiKey,
    note?: ProposalNote,
  ): Promise<IssueApiKeyAnswer>
  /** Revokes the key, which stops working within `keyCacheSeconds`. Idempotent. Undefined when there is no such key. */
  revoke(actor: string, id: string): Promise<true | undefined>
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
 * Issues and revokes API keys. Every method throws `Unavailable` when the store cannot be reached.
 *
 * @example
 * ```ts
 * const apiKeys = manageApiKeys(ports, 'test')
 * const input = { name: 'reports', scopes: ['wallet:read'], expiresAt: null } as const
 * const issued = await apiKeys.issue(ana, tenant.id, input)
 * if (issued.type === 'refused') throw new Error(issued.code)
 * console.log(issued.key.startsWith('qpu_test_'), issued.record.scopes) // true [ 'wallet:read' ]
 * console.log(await apiKeys.revoke('ana', issued.record.id)) // true
 * ```
 */
export const manageApiKeys = (
  ports: ManageApiKeysPorts,
  kind: ApiKeyKind,
  settings: Pick<ProposalSettings, 'lifeSeconds'> = defaultProposalSettings,
): ManageApiKeys => ({
  async issue(operator, tenantId, input, note) {
    if (!(await ports.tenants.find(tenantId))) return refused('not_found')
    const createdAt = ports.now()
    if (input.expiresAt !== null && input.expiresAt <= createdAt) return refused('already_expired')
    const { key, ...kept } = makeApiKey(kind, ports.random)
    const needsTwo = keyNeedsTwo({ ...kept, ...input })
    const record: ApiKey = {
      ...{ id: ports.ids.next('key', createdAt), tenantId, ...kept },
      ...{ name: input.name, scopes: input.scopes, expiresAt: input.expiresAt, createdAt },
      ...{ activatedAt: needsTwo ? null : createdAt, lastUsedAt: null, revokedAt: null },
    }
    if (needsTwo && !note) return refused('needs_note')
    const proposal = needsTwo && note ? draft(ports, settings, operator, { record, note }) : null
    const { tokenHash } = operator
    const result = proposal
      ? await ports.apiKeys.propose(record, proposal, tokenHash)
      : await ports.apiKeys.issue(record, tokenHash)
    return result === 'committed' ? { type: 'issued', key, record, proposal } : refused(result)
  },

  async revoke(actor, id) {
    const record = await ports.apiKeys.find(id)
    if (!record) return undefined
    if (record.revokedAt) return true
    // Safe to ignore: `stale` means that it has been revoked concurrently.
    await ports.apiKeys.revoke(record, { actor, at: ports.now() })
    return true
  },
})

const refused = (
  code: Extract<IssueApiKeyAnswer, { type: 'refused' }>['code'],
): IssueApiKeyAnswer => ({ type: 'refused', code })

function draft(
  { ids }: ManageApiKeysPorts,
  { lifeSeconds }: Pick<ProposalSettings, 'lifeSeconds'>,
  { person: proposedBy }: Operator,
  { record, note }: { readonly record: ApiKey; readonly note: ProposalNote },
): OpenProposal {
  const { id: keyId, tenantId, name, lastFour, scopes, expiresAt, createdAt } = record
  return {
    ...{ id: ids.next('prp', createdAt), tenantId, proposedBy, createdAt },
    ...{ reason: note.reason, evidence: note.evidence },
    action: { type: 'issue_api_key', keyId, name, lastFour, scopes, expiresAt },
    expiresAt: new Date(createdAt.getTime() + lifeSeconds * 1_000),
    status: 'open',
  }
}
