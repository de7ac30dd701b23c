import type { NoticeType, TenantNotice } from '@quipu/core/operator'
import { instantToJson } from '../json/instant.ts'

/** A notice as the operator's mail gateway receives it. */
export type TenantNoticeJson = {
  readonly id: string
  readonly type: NoticeType
  readonly tenant_id: string
  readonly occurred_at: string
  readonly recipients: readonly { readonly name: string; readonly email: string }[]
  readonly api_key: {
    readonly id: string
    readonly name: string
    readonly prefix: string
    readonly last_four: string
    readonly scopes: readonly string[]
    readonly expires_at: string | null
    readonly allowed_addresses: readonly string[] | null
    readonly replaces: string | null
    readonly replaced_by: string | null
  } | null
}

export const tenantNoticeToJson = (notice: TenantNotice): TenantNoticeJson => ({
  id: notice.id,
  type: notice.type,
  tenant_id: notice.tenantId,
  occurred_at: instantToJson(notice.occurredAt),
  recipients: notice.recipients.map(({ name, email }) => ({ name, email })),
  api_key: notice.key && {
    id: notice.key.id,
    name: notice.key.name,
    prefix: notice.key.prefix,
    last_four: notice.key.lastFour,
    scopes: notice.key.scopes,
    expires_at: notice.key.expiresAt && instantToJson(notice.key.expiresAt),
    allowed_addresses: notice.key.allowedAddresses,
    replaces: notice.key.replaces,
    replaced_by: notice.key.replacedBy,
  },
})
