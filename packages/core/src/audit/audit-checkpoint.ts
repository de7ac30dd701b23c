import { equalDigests, hmacSha256 } from '../digest.ts'
import type { AuditPosition } from './ports.ts'

/** A signed statement that the audit log contained an entry. */
export type AuditCheckpoint = AuditPosition & {
  readonly at: Date
  /** Lowercase hex HMAC-SHA256 of the version, id, hash and instant. */
  readonly signature: string
}

const signatureOf = (key: Uint8Array, { id, hash }: AuditPosition, at: Date): string =>
  hmacSha256(key, ['quipu audit checkpoint 1', id.toString(), hash, at.toISOString()].join('\n'))

/** Signs a position of the audit log. */
export const signCheckpoint = (key: Uint8Array, { id, hash }: AuditPosition, at: Date): AuditCheckpoint => ({
  id,
  hash,
  at,
  signature: signatureOf(key, { id, hash }, at),
})

/** Whether the checkpoint was signed with this key. */
export const isCheckpointSigned = (key: Uint8Array, checkpoint: AuditCheckpoint): boolean =>
  equalDigests(signatureOf(key, checkpoint, checkpoint.at), checkpoint.signature)
