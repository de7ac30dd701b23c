import type { OperatorRequest, UsedRequest } from '../operator-request/operator-request.ts'
import type { Credential } from '../operator-token/operator.ts'
import type { Page, PageQuery } from '../page.ts'
import type { OpenProposal } from '../proposal/proposal.ts'
import type { ApiKey, Caller } from './api-key.ts'
import type { DailyUse } from './daily-limits.ts'
import type { Tenant } from './tenant.ts'

/** An entry of the audit log: actor, action and the changed members. Append-only; written with its change. */
export type AuditEntry = AuditOrigin & {
  /** `tenant.create`, `tenant.update`, `tenant.suspend`, `tenant.resume`, `api_key.issue`, `api_key.rotate`, `api_key.revoke`, `api_key.set_addresses`, `wallet.adjust`, `deposit.credit`, `deposit.close`, `top_up_address.rotate`, `proposal.open`, `proposal.approve`, `proposal.withdraw`, `proposal.fail`, `payout.query`, `payout.cancel`, `payout.settle`, `sweep.plan`, `sweep.sign`, `difference.close`, `quoting.pause`, `quoting.resume`, `network.confirm`, `webhook.pause`, `webhook.resume`, `webhook.resend`, `reconciliation.request`, `restore.declare`, `restore.confirm`, `console.sign_in`, `console.sign_out`; `secret.look_up`, `operator.refuse`, `operator.fail_login`. */
  readonly action: string
  /** The tenant concerned; null when there is none. */
  readonly tenantId: string | null
  /** The id of the changed record, or of the one that was refused; the source address of a failed login. */
  readonly subject: string
  readonly at: Date
  readonly before: AuditState
  readonly after: AuditState
}

/** Who acted, and from where. */
export type AuditOrigin = {
  /** The person; null where the operator's token was missing or unknown. */
  readonly actor: string | null
  /** The id of the operator token that was presented; null where none was. This and the next two distinguish a person from a thief. */
  readonly tokenId: string | null
  /** The source address of the request; null where it had none. */
  readonly address: string | null
  /** The fingerprint of the console's session; null where the token itself was presented. */
  readonly session: string | null
}

/** The changed members, as JSON; null when there are none. Never contains a key or its hash. */
export type AuditState = Readonly<Record<string, string | number | readonly string[] | null>> | null

/** An operator's change of a tenant: one revision each. */
export type TenantAction = 'tenant.update' | 'tenant.suspend' | 'tenant.resume'

/** Who made a change, and when. */
export type AuditAuthor = AuditOrigin & { readonly at: Date }

/** A presented operator token, and the instant of the change. */
export type Acting = Credential & { readonly at: Date }

/** A tenant, and how much of its daily limits it has used today. */
export type TenantRecord = Tenant & { readonly usedToday: DailyUse }

/** Stores tenants. Every method throws `Unavailable` when the database cannot be read or written. */
export type TenantStore = {
  /**
   * Inserts the tenant and its empty wallet, with the audit entry `tenantCreated`; writes nothing when the person
   * has used the request's key before, or when it is `unauthorized`: without the active token of an operator.
   */
  create(
    tenant: Tenant,
    walletId: string,
    by: Credential,
    request?: OperatorRequest,
  ): Promise<'committed' | 'unauthorized' | UsedRequest>
  find(id: string): Promise<TenantRecord | undefined>
  list(query: PageQuery): Promise<Page<TenantRecord>>
  /**
   * Updates the tenant if its revision is `tenant.revision - 1`, with the audit entry `tenantChanged`;
   * otherwise `stale`. `unauthorized`, and nothing written, without the active token of an operator, or of an
   * admin where a price or a limit changes. Its id and creation never change.
   *
   * @throws when the change is not the one that the action names: `tenant.update` keeps the status, the
   *   others keep everything else
   */
  update(
    tenant: Omit<Tenant, 'createdAt'>,
    action: TenantAction,
    by: Acting,
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
  readonly tokenId?: string
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

/** A request that a role did not allow. */
export type Refusal = Pick<AuditEntry, 'tenantId' | 'subject' | 'at' | 'after'>

/** Failed logins from one source address. */
export type FailedLogins = { readonly address: string; readonly at: Date; readonly failures: number }

/** The audit log. Every method throws `Unavailable` when the database cannot be read or written. */
export type AuditLog = {
  /**
   * Writes the entry `operator.refuse` of the person whose token is presented; none when it is not active. The stores
   * write the entries of changes themselves.
   */
  recordRefusal(refusal: Refusal, by: Credential): Promise<void>
  /**
   * Writes the entry `secret.look_up` about the API key or the operator's token with this hash, in the name of the
   * person whose token is presented. Nothing was written when neither has it (`unknown`), or when the token is not
   * active (`unauthorized`).
   */
  recordLookUp(secretHash: string, at: Date, by: Credential): Promise<'committed' | 'unknown' | 'unauthorized'>
  /** Writes the entry `operator.fail_login`, which names nobody. */
  recordFailedLogins(logins: FailedLogins): Promise<void>
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditRecord[]>
  /**
   * Recomputes the hashes of the next entries.
   *
   * @param after  `auditStart`, or the position before; it is a flaw when the log does not contain it
   */
  verify(after: AuditPosition, entries: number): Promise<AuditSlice>
}
