import { isMacOf } from '@quipu/core/adapter'
import { codeText, type UsedCode } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

/** Whether one of the database's keys made the MAC. */
export const isSigned = ({ signInKeys }: Database, text: string, mac: string): boolean =>
  signInKeys !== null && isMacOf(signInKeys, text, mac)

/** Uses a code once. @returns whether it was new and signed */
export function isUsable(database: Database, person: string, hash: string, code: UsedCode | undefined): boolean {
  const factor = database.secondFactors.get(person)
  if (!factor || !code || !isSigned(database, codeText(person, hash, code.step), code.mac)) return false
  if (code.step <= factor.lastStep) return false
  factor.lastStep = code.step
  factor.attempts = 0
  return true
}
