import { Unavailable } from '@quipu/core'
import type { RestoreStore } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

/** A database in memory has no disk that could be an older one, and ends with its server. */
export const memoryRestoreStore = (database: Database): RestoreStore => ({
  gate: async () => ({ halt: database.paymentHalt, unchecked: null, confirmations: 0, installation: null }),
  accept: async () => false,
  haltForgotten: async (_, detail) => {
    database.paymentHalt ??= { reason: 'payment_forgotten', detail, at: database.now() }
  },
})

/** @throws Unavailable while payments are halted */
export function requireOpenGate({ paymentHalt }: Database): void {
  if (paymentHalt !== null) throw new Unavailable('store', `payments are halted: ${paymentHalt.detail}`)
}
