import { sha256 } from '../digest.ts'
import type { Ids, RandomBytes } from '../ids.ts'
import type { Clock } from '../time.ts'
import { databaseOwner, newOperatorToken, type OperatorTokenRequest } from './operator-token.ts'
import type { NewOperatorToken } from './ports.ts'

/** The ports of `makeOperatorToken`. */
export type MakeOperatorTokenPorts = { readonly ids: Ids; readonly now: Clock; readonly random: RandomBytes }

/**
 * A token that the database's owner issues, as none of the operators can: the first ones, and when no admin is
 * left.
 *
 * @returns the token, 64 hexadecimal digits, to be shown once, and what the store keeps of it
 * @example
 * ```ts
 * const expiresAt = new Date(ports.now().getTime() + 90 * 86_400_000)
 * const request = { person: 'carla', label: 'laptop', role: 'admin', expiresAt } as const
 * const { secret, issued } = makeOperatorToken(ports, request)
 * console.log(secret.length, issued.token.person) // 64 carla
 * ```
 */
export function makeOperatorToken(
  { ids, now, random }: MakeOperatorTokenPorts,
  request: Omit<OperatorTokenRequest, 'hash'>,
): { readonly secret: string; readonly issued: NewOperatorToken } {
  const digits = Array.from(random(32), (byte) => byte.toString(16).padStart(2, '0'))
  const secret = digits.join('')
  const at = now()
  const made = { createdAt: at, createdBy: databaseOwner, activatedAt: at }
  const hash = sha256(secret)
  const token = newOperatorToken({ ...request, hash }, { id: ids.next('opt', at), ...made })
  return { secret, issued: { token, hash } }
}
