import type { OperatorRequest, UsedRequest } from '../operator-request/operator-request.ts'
import type { Page, PageQuery } from '../page.ts'
import type { OpenProposal } from '../proposal/proposal.ts'
import type { ApiKey, Caller } from './api-key.ts'
import type { DailyUse } from './daily-limits.ts'
import type { Tenant } from './tenant.ts'

/** An entry of the audit log: actor, action and the changed members. Append-only; written with its change. */
export type AuditEntry = {
  /** The person; null where the operator's token was missing or unknown. */
  readonly actor: string | null
  /** `tenant.create`, `tenant.update`, `tenant.suspend`, `tenant.resume`, `api_key.issue`, `api_key.rotate`, `api_key.revoke`, `api_key.set_addresses`, `wallet.adjust`, `deposit.credit`, `deposit.close`, `top_up_address.rotate`, `proposal.open`, `proposal.approve`, `proposal.withdraw`, `proposal.fail`, `payout.ask`, `payout.cancel`, `payout.settle`, `sweep.plan`, `sweep.sign`, `difference.close`, `quoting.pause`, `quoting.resume`, `network.confirm`, `webhook.pause`, `webhook.resume`, `webhook.resend`, `reconciliation.request`, `restore.declare`, `restore.confirm`, `console.sign_in`, `console.sign_out`; `operator.refuse`, `operator.fail_login`. */
  readonly action: string
  /** The tenant concerned; null when there is none. */
  readonly tenantId: string | null
  /** The id of the changed record, or of the one that was refused; the source address of a failed login. */
  readonly subject: string
  readonly at: Date
  readonly before: AuditState
  readonly after: AuditState
}

/** The changed members, as JSON; null when there are none. Never contains a key or its hash. */
export type AuditState = Readonly<Record<string, string | number | readonly string[] | null>> | null

/** An operator's change of a tenant: one revision each. */
export type TenantAction = 'tenant.update' | 'tenant.suspend' | 'tenant.resume'

/** The actor and instant of a change. */
export type AuditAuthor = {
  /** The operator token's name. */
  readonly actor: string
  readonly at: Date
}

/** The author of a change of a tenant. */
export type TenantAuthor = AuditAuthor & {
  /** `Operator.tokenHash` of the actor. A change that raises a limit needs an admin's. */
  readonly tokenHash?: string
}

/** A tenant, and how much of its daily limits it has used today. */
export type TenantRecord = Tenant & { readonly usedToday: DailyUse }

/** Stores tenants. Every method throws `Unavailable` when the database cannot be read or written. */
export type TenantStore = {
  /**
   * Inserts the tenant and its empty wallet, with the audit entry `tenantCreated`; writes nothing when the actor
   * has used the request's key before.
   */
  create(
    tenant: Tenant,
    walletId: string,
    actor: string,
    request?: OperatorRequest,
  ): Promise<'committed' | UsedRequest>
  find(id: string): Promise<TenantRecord | undefined>
  list(query: PageQuery): Promise<Page<TenantRecord>>
  /**
   * Updates the tenant if its revision is `tenant.revision - 1`, with the audit entry `tenantChanged`;
   * otherwise `stale`. `unauthorized`, and nothing written, when it raises a limit (`isRaised`) without the active
   * token of an admin. Its id and creation never change.
   *
   * @throws when the change is not the one that the action names: `tenant.update` keeps the status, the
   *   others keep everything else
   */
  update(
    tenant: Omit<Tenant, 'createdAt'>,
    action: TenantAction,
    author: TenantAuthor,
  ): Promise<'committed' | 'stale' | 'unauthorized'>
}

/** The key of an API key's record. */
export type ApiKeyRef = Pick<ApiKey, 'id' | 'tenantId'>

/** Stores API keys. Every method throws `Unavailable` when the database cannot be read or written. */
export type ApiKeyStore = {
  /**
   * Inserts an active key that is neither used nor revoked, with the audit entry `keyIssued`. A key that it
   * replaces then expires at `replacedKeyExpiry`, with the audit entry `keyRotated`. `unauthorized`, and nothing
   * written, without the active token of an operator, or of an admin where the key has `payouts:write`.
   *
   * @param tokenHash  as `Operator.tokenHash`
   * @throws Error when it needs two people (`keyNeedsTwo`), or replaces a key with other rights
   */
  issue(key: ApiKey, tokenHash: string): Promise<'committed' | 'unauthorized'>
  /**
   * Inserts a key that is not active, and the proposal to activate it, with the audit entry `auditProposal`.
   * `ProposalStore.commit` of the approval activates it, with the audit entries of `issue`. `unauthorized`, and
   * nothing written, without the active token of an admin.
   *
   * @throws Error when the proposer is another person
   */
  propose(
    key: ApiKey,
    proposal: OpenProposal,
    tokenHash: string,
  ): Promise<'committed' | 'unauthorized'>
  /**
   * Sets the addresses from which the key may be used, with the audit entry `keyAddressesSet`. `unauthorized`:
   * without the active token of an admin. `stale`: the tenant has no such key, or it is revoked.
   */
  setAllowedAddresses(
    key: ApiKeyRef,
    addresses: readonly string[] | null,
    by: { readonly tokenHash: string; readonly at: Date },
  ): Promise<'committed' | 'stale' | 'unauthorized'>
  find(id: string): Promise<ApiKey | undefined>
  /** Finds a key whether it is usable or not: the caller checks `isKeyUsable`. */
  findCaller(hash: string): Promise<Caller | undefined>
  list(tenantId: string, query: PageQuery): Promise<Page<ApiKey>>
  /** Revokes the key, with the audit entry `keyRevoked`; `stale` when the tenant has no such key or it is revoked. */
  revoke(key: ApiKeyRef, author: AuditAuthor): Promise<'committed' | 'stale'>
  /** Sets `lastUsedAt`, unless it is later already. */
  touch(key: ApiKeyRef, at: Date): Promise<void>
}

/** A place in the audit log; its hash covers every entry up to it. */
export type AuditPosition = {
  /** 1, 2, 3, … without a gap. */
  readonly id: bigint
  /** Lowercase hex of `auditHash`. */
  readonly hash: string
}

/** An entry as the audit log stores it. */
export type AuditRecord = AuditEntry & AuditPosition

/** Which entries of the audit log to read. */
export type AuditQuery = {
  readonly subject?: string
  readonly tenantId?: string
  readonly actor?: string
  readonly action?: string
  /** The entries at or after this instant. */
  readonly from?: Date
  /** The entries at or before this instant. */
  readonly to?: Date
  readonly limit: number
  /** The entries with a smaller id. */
  readonly before?: bigint
}

/** The first entry that does not follow from the entries before it. */
export type AuditFlaw = {
  /** The id of the entry, which may be missing. */
  readonly id: bigint
  /** What is wrong with it. */
  readonly detail: string
}

/** A verified slice of the audit log. */
export type AuditSlice = {
  readonly flaw: AuditFlaw | null
  /** The last entry of the slice, or the last one before the flaw. */
  readonly verified: AuditPosition
  /** The number of entries in the slice. */
  readonly count: number
}

/** The audit entry of a refused action or login. */
export type RefusalEntry = AuditEntry & {
  readonly action: 'operator.refuse' | 'operator.fail_login'
  readonly before: null
}

/** The audit log. Every method throws `Unavailable` when the database cannot be read or written. */
export type AuditLog = {
  /** Writes an entry without a change; the stores write the entries of their changes themselves. */
  record(entry: RefusalEntry): Promise<void>
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditRecord[]>
  /**
   * Recomputes the hashes of the next entries.
   *
   * @param after  `auditStart`, or the position before; it is a flaw when the log does not contain it
   */
  verify(after: AuditPosition, entries: number): Promise<AuditSlice>
}
