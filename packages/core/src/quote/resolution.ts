import type { QrRead } from '../network/qr-network.ts'

/** A QR that was read for a tenant. @source spec §4: "returns a resolution with a resolution_id" */
export type Resolution = Omit<QrRead, 'type'> & {
  readonly id: string
  readonly tenantId: string
  /** SHA-256 of the content, to know it again without keeping it. */
  readonly contentHash: string
  readonly createdAt: Date
}

const sandboxSerial = /\|5A0D[0-9A-F]{28}$/i

/**
 * Whether the content carries a certificate serial of the sandbox's reserved range.
 *
 * The only thing ever read from a QR's content outside the network: production refuses it unread.
 */
export const isSandboxContent = (content: string): boolean => sandboxSerial.test(content)
