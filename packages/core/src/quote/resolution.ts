import type { QrRead } from '../network/qr-network.ts'

/** The reading of a QR for a tenant. @source spec §4: "returns a resolution with a resolution_id" */
export type Resolution = Omit<QrRead, 'type'> & {
  readonly id: string
  readonly tenantId: string
  /** SHA-256 of the content, which is not stored. */
  readonly contentHash: string
  readonly createdAt: Date
}

const sandboxSerial = /\|5A0D[0-9A-F]{28}$/i

/**
 * Whether the content has a certificate serial of the sandbox's reserved range: production refuses such a QR
 * without querying the network. Nothing else is parsed from a QR's content in the core.
 */
export const isSandboxContent = (content: string): boolean => sandboxSerial.test(content)
