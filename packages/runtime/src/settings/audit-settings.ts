import { z } from 'zod'

/** The variable of the processes that sign or verify checkpoints of the audit log. */
export const auditSettings = {
  AUDIT_CHECKPOINT_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be the key that signs checkpoints: 64 hex digits')
    .transform((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))
    .optional()
    .describe(
      'Signs the hourly checkpoints of the audit log: 32 bytes in hex, the same for API and worker. Without it the worker writes none.',
    ),
}
