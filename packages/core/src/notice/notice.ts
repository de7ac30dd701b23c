import type { ApiKey } from '../api-key/api-key.ts'
import type { AuditRecord } from '../audit/ports.ts'
import type { TechnicalContact } from '../tenant/tenant.ts'

/** The kinds of notices to a tenant's technical contact. */
export const noticeTypes = [
  'api_key.issued',
  'api_key.rotated',
  'api_key.revoked',
  'api_key.addresses_changed',
  'api_key.expires_soon',
  'technical_contact.changed',
  'tenant.suspended',
  'tenant.resumed',
] as const
/** One type of notice. */
export type NoticeType = (typeof noticeTypes)[number]

/** How long before its expiry a key's technical contact is notified, in days. */
export const noticeDaysBeforeExpiry = 7

/** The facts of a notice about a key; never the key, nor its hash. */
export type NoticedKey = Pick<
  ApiKey,
  'id' | 'name' | 'prefix' | 'lastFour' | 'scopes' | 'expiresAt' | 'allowedAddresses'
> & {
  /** The id of the key that it replaces; null when it replaces none. */
  readonly replaces: string | null
  /** In `api_key.rotated` the id of the key that replaces it; otherwise null. */
  readonly replacedBy: string | null
}

/** A message to a tenant's technical contact. It names no operator, and no reason of theirs. */
export type TenantNotice = {
  /** The same for each repetition: `ntc_` with the number of the audit entry, or the key and its expiry. */
  readonly id: string
  readonly type: NoticeType
  readonly tenantId: string
  /** The instant of the audit entry; of `api_key.expires_soon` `noticeDaysBeforeExpiry` before the expiry. */
  readonly occurredAt: Date
  /** One, or the old and the new contact; each is sent a message of its own. */
  readonly recipients: readonly TechnicalContact[]
  /** Null where it is about no key. */
  readonly key: NoticedKey | null
}

/** The sources of a notice. */
export type NoticeSource = {
  /** Null when the notice is of the key's expiry. */
  readonly entry: AuditRecord | null
  /** The key as it is stored now; null when the entry concerns none. */
  readonly key: ApiKey | null
  /** The tenant's technical contact at the time of the entry, or now when there is no entry. */
  readonly contact: TechnicalContact
}

const typeOfAction: Readonly<Record<string, NoticeType>> = {
  'api_key.issue': 'api_key.issued',
  'api_key.rotate': 'api_key.rotated',
  'api_key.revoke': 'api_key.revoked',
  'api_key.set_addresses': 'api_key.addresses_changed',
  'tenant.suspend': 'tenant.suspended',
  'tenant.resume': 'tenant.resumed',
}

/** The actions of the audit log that concern keys, each of which has a notice. */
export const noticedKeyActions: readonly string[] = Object.keys(typeOfAction)

/** Whether the entry has a notice: it concerns a key, suspends or resumes a tenant, or changes a technical contact. */
export const isNoticed = (entry: Pick<AuditRecord, 'action' | 'before' | 'after'>): boolean =>
  noticedKeyActions.includes(entry.action) || changesContact(entry)

/** Whether the entry changes a technical contact. */
export const changesContact = ({ action, before, after }: Pick<AuditRecord, 'action' | 'before' | 'after'>): boolean =>
  action === 'tenant.update' &&
  (before?.['contact_name'] !== after?.['contact_name'] || before?.['contact_email'] !== after?.['contact_email'])

/** The technical contact before the change that this entry records, or after it. */
export const contactIn = (state: AuditRecord['before']): TechnicalContact => ({
  name: text(state?.['contact_name']),
  email: text(state?.['contact_email']),
})

/**
 * Makes the notice of an audit entry, or of a key that expires soon.
 *
 * @throws Error when the entry has no notice (`isNoticed`), or neither it nor its key is given
 */
export function tenantNotice({ entry, key, contact }: NoticeSource): TenantNotice {
  if (entry === null) return expiryNotice(key, contact)
  const { tenantId, at: occurredAt } = entry
  if (tenantId === null || !isNoticed(entry)) throw new Error(`the audit entry ${entry.id} has no notice`)
  const about = { id: `ntc_${entry.id}`, tenantId, occurredAt }
  const type = typeOfAction[entry.action]
  if (type !== undefined) return { ...about, type, recipients: [contact], key: key && noticedKey(key, statedBy(entry)) }
  const recipients = distinct([contactIn(entry.before), contactIn(entry.after)])
  return { ...about, type: 'technical_contact.changed', recipients, key: null }
}

function expiryNotice(key: ApiKey | null, contact: TechnicalContact): TenantNotice {
  const expiresAt = key?.expiresAt?.getTime()
  if (!key || expiresAt === undefined) throw new Error('a notice of an expiry needs a key with one')
  return {
    id: `ntc_${key.id}_${expiresAt}`,
    type: 'api_key.expires_soon',
    tenantId: key.tenantId,
    occurredAt: new Date(expiresAt - noticeDaysBeforeExpiry * 864e5),
    recipients: [contact],
    key: noticedKey(key, null),
  }
}

/** The key's facts in the entry. That of an issue leaves out members that the key does not have. */
const statedBy = ({ action, after }: AuditRecord): AuditRecord['after'] =>
  action === 'api_key.issue' ? { allowed_addresses: null, ...after } : after

/** The key with what its entry states: a later change has a notice of its own. */
function noticedKey(key: ApiKey, stated: AuditRecord['after']): NoticedKey {
  const { id, name, prefix, lastFour, scopes } = key
  const { expires_at: ends, allowed_addresses: addresses, replaced_by: by } = stated ?? {}
  return {
    id,
    name,
    prefix,
    lastFour,
    scopes,
    expiresAt: ends === undefined ? key.expiresAt : instant(ends),
    allowedAddresses: addresses === undefined ? key.allowedAddresses : list(addresses),
    replaces: key.replaces?.keyId ?? null,
    replacedBy: typeof by === 'string' ? by : null,
  }
}

type Stated = NonNullable<AuditRecord['after']>[string] | undefined

const text = (value: Stated): string => (typeof value === 'string' ? value : '')
const instant = (value: Stated): Date | null => (typeof value === 'string' ? new Date(value) : null)
const list = (value: Stated): readonly string[] | null => (typeof value === 'object' ? value : null)

/** A change of the name alone is sent once, under the new name. */
const distinct = (contacts: readonly TechnicalContact[]): readonly TechnicalContact[] =>
  Array.from(new Map(contacts.map((contact) => [contact.email, contact])).values())
