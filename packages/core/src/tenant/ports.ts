import type { Acting, Credential } from '../access/operator.ts'
import type { OperatorRequest, UsedRequest } from '../access/operator-request.ts'
import type { AuditAction } from '../audit/ports.ts'
import type { DailyUse } from '../limit/daily-limits.ts'
import type { Page, PageQuery } from '../page.ts'
import type { ProposalNote } from '../proposal/proposal.ts'
import type { Tenant } from './tenant.ts'

/** An operator's change of a tenant: one revision each. */
export type TenantAction = Extract<
  AuditAction,
  'tenant.update' | 'tenant.suspend' | 'tenant.resume' | 'tenant.erase_contact'
>

/** A tenant, and how much of its daily limits it has used today. */
export type TenantRecord = Tenant & { readonly usedToday: DailyUse }

/** A page of tenants, filtered. */
export type TenantQuery = PageQuery & {
  /** A part of the name, or of the contact's name or e-mail, whatever its case and accents. */
  readonly text?: string
}

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
  /** Newest first. With a text it reads a bounded number of tenants: a page may be short and still have a next one. */
  list(query: TenantQuery): Promise<Page<TenantRecord>>
  /**
   * Updates the tenant if its revision is `tenant.revision - 1`, with the audit entry `tenantChanged`;
   * otherwise `stale`. `unauthorized`, and nothing written, without the active token of an operator, or of an
   * admin where a price or a limit changes; `listed` when the tenant is resumed, and has a case of screening that two
   * people have not cleared. Its id and creation never change. A new suspension has the
   * instant of `by`.
   *
   * @param note  the reason, for the audit entry
   * @throws when the change is not the one that the action names: `tenant.update` keeps status and suspension, the
   *   others keep everything else; and when it ends or replaces a suspension that two people end
   */
  update(
    tenant: Omit<Tenant, 'createdAt'>,
    action: TenantAction,
    by: Acting,
    note?: ProposalNote,
  ): Promise<'committed' | 'stale' | 'unauthorized' | 'listed'>
  /**
   * Replaces the contact by `erasedContact`, with the audit entry of the action `tenant.erase_contact`, and erases the
   * contacts in the entries before it, whose chain still verifies. `unauthorized` without the active token of an admin.
   */
  eraseContact(id: string, by: Acting): Promise<'committed' | 'stale' | 'unauthorized'>
}
