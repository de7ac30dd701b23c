import { BadSettings } from '../settings/settings.ts'
import type { Listener } from './listener.ts'

/** @throws BadSettings naming the variables when the listener cannot bind its address */
export async function boundListener(variables: string, listening: Promise<Listener>): Promise<Listener> {
  try {
    return await listening
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause
    const lines = `These settings cannot be used:\n  ${variables}: ${cause.message}`
    throw new BadSettings(lines, { cause })
  }
}
