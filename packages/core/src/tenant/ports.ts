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

export type TenantStore = {
  /** Creates the tenant and its empty wallet. */
  create(tenant: Tenant, walletId: string, audit: AuditEntry): Promise<void>
  find(id: string): Promise<Tenant | undefined>
  list(query: PageQuery): Promise<Page<Tenant>>
  /** Replaces the tenant whose revision is `tenant.revision - 1`; `stale` when it has moved on. */
  update(tenant: Tenant, audit: AuditEntry): Promise<'committed' | 'stale'>
}

export type ApiKeyStore = {
  insert(key: ApiKey, audit: AuditEntry): Promise<void>
  find(id: string): Promise<ApiKey | undefined>
  /** Usable or not: the caller decides with `isUsable`. */
  findCaller(hash: string): Promise<Caller | undefined>
  list(tenantId: string, query: PageQuery): Promise<Page<ApiKey>>
  /** `stale` when it was revoked before. */
  revoke(id: string, at: Date, audit: AuditEntry): Promise<'committed' | 'stale'>
  /** Notes that the key was used; never moves backwards. */
  touch(id: string, at: Date): Promise<void>
}

export type AuditQuery = {
  readonly subject?: string
  readonly tenantId?: string
  readonly limit: number
}

export type AuditLog = {
  /** Writes an entry that no change goes with: a refusal or a failed login. */
  record(entry: AuditEntry): Promise<void>
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>
}
