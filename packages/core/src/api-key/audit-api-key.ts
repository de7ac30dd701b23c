import type { AuditAuthor, AuditEntry } from '../audit/ports.ts'
import type { ApiKey } from './api-key.ts'

/**
 * The audit entry of a key that becomes active.
 *
 * @param proposalId  of the proposal that it needed; null when it needed none
 */
export const keyIssued = (key: ApiKey, author: AuditAuthor, proposalId: string | null): AuditEntry => ({
  ...author,
  action: 'api_key.issue',
  tenantId: key.tenantId,
  subject: key.id,
  before: null,
  after: {
    name: key.name,
    scopes: key.scopes,
    expires_at: key.expiresAt?.toISOString() ?? null,
    ...(key.replaces && { replaces: key.replaces.keyId, overlap_seconds: key.replaces.overlapSeconds }),
    ...(key.allowedAddresses && { allowed_addresses: key.allowedAddresses }),
    ...(proposalId !== null && { proposal_id: proposalId }),
  },
})

/** The audit entry of a key that the key `by` replaces. */
export const keyRotated = (
  { id, tenantId, expiresAt }: Pick<ApiKey, 'id' | 'tenantId' | 'expiresAt'>,
  by: { readonly id: string; readonly replacedExpiresAt: Date },
  author: AuditAuthor,
): AuditEntry => ({
  ...author,
  action: 'api_key.rotate',
  tenantId,
  subject: id,
  before: { expires_at: expiresAt?.toISOString() ?? null },
  after: { expires_at: by.replacedExpiresAt.toISOString(), replaced_by: by.id },
})

/** The audit entry of new allowed addresses of a key. */
export const keyAddressesSet = (
  { id, tenantId, allowedAddresses }: Pick<ApiKey, 'id' | 'tenantId' | 'allowedAddresses'>,
  addresses: readonly string[] | null,
  author: AuditAuthor,
): AuditEntry => ({
  ...author,
  action: 'api_key.set_addresses',
  tenantId,
  subject: id,
  before: { allowed_addresses: allowedAddresses },
  after: { allowed_addresses: addresses },
})

/** The audit entry of a revoked key. */
export const keyRevoked = ({ id, tenantId }: Pick<ApiKey, 'id' | 'tenantId'>, author: AuditAuthor): AuditEntry => ({
  ...author,
  action: 'api_key.revoke',
  tenantId,
  subject: id,
  before: { revoked_at: null },
  after: { revoked_at: author.at.toISOString() },
})
