import type { Page, PageQuery } from '../page.ts'
import type { ApiKey, Caller } from './api-key.ts'
import type { Tenant } from './tenant.ts'

/** Who did what to what, before and after. Append-only; written with the change it describes. */
export type AuditEntry = {
  /** The operator token's name; null where the token was missing or unknown. */
  readonly actor: string | null
  /** `tenant.create`, `tenant.update`, `tenant.suspend`, `tenant.resume`, `api_key.issue`, `api_key.revoke`, `wallet.adjust`, `deposit.credit`, `deposit.close`, `top_up_address.rotate`; `operator.refuse`, `operator.fail_login`. */
  readonly action: string
  /** The tenant that it concerns; null where there is none. */
  readonly tenantId: string | null
  /** The id of what was changed, or was not to be; of a failed login the source address. */
  readonly subject: string
  readonly at: Date
  readonly before: AuditState
  readonly after: AuditState
}

/** The members that changed, as JSON; null where there was nothing. Never a key or its hash. */
export type AuditState = Readonly<Record<string, string | number | readonly string[] | null>> | null

/** What an operator changes of a tenant. Each is one revision of it. */
export type TenantAction = 'tenant.update' | 'tenant.suspend' | 'tenant.resume'

/** Who changes something, and when. */
export type AuditAuthor = {
  /** The operator token's name. */
  readonly actor: string
  readonly at: Date
}

export type TenantStore = {
  /** Creates the tenant and its empty wallet, with the entry `tenantCreated`. */
  create(tenant: Tenant, walletId: string, actor: string): Promise<void>
  find(id: string): Promise<Tenant | undefined>
  list(query: PageQuery): Promise<Page<Tenant>>
  /**
   * Gives the tenant whose revision is `tenant.revision - 1` this status and pricing, with the entry
   * `tenantChanged`; `stale` when it has another revision. Nothing else of a tenant changes.
   *
   * @throws when the action is not this change: `tenant.update` keeps the status, the others the pricing
   */
  update(
    tenant: Pick<Tenant, 'id' | 'status' | 'pricing' | 'revision'>,
    action: TenantAction,
    author: AuditAuthor,
  ): Promise<'committed' | 'stale'>
}

/** Names a key of a tenant's. */
export type ApiKeyRef = Pick<ApiKey, 'id' | 'tenantId'>

export type ApiKeyStore = {
  /** A new key, neither used nor revoked, with the entry `keyIssued`. */
  insert(key: ApiKey, actor: string): Promise<void>
  find(id: string): Promise<ApiKey | undefined>
  /** Usable or not: the caller decides with `isUsable`. */
  findCaller(hash: string): Promise<Caller | undefined>
  list(tenantId: string, query: PageQuery): Promise<Page<ApiKey>>
  /** With the entry `keyRevoked`; `stale` when the tenant has no such key, or it was revoked before. */
  revoke(key: ApiKeyRef, author: AuditAuthor): Promise<'committed' | 'stale'>
  /** Notes that the key was used; never moves backwards. */
  touch(key: ApiKeyRef, at: Date): Promise<void>
}

export type AuditQuery = {
  readonly subject?: string
  readonly tenantId?: string
  readonly limit: number
}

/** An entry about what was not done. */
export type RefusalEntry = AuditEntry & {
  readonly action: 'operator.refuse' | 'operator.fail_login'
  readonly before: null
}

export type AuditLog = {
  /** Writes an entry that no change goes with. The stores write those of the changes that they make. */
  record(entry: RefusalEntry): Promise<void>
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>
}
