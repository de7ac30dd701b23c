import type { Request } from 'express'
import { ApiError } from '../../http/api-error.ts'
import type { SignInPolicy } from '../../settings/sign-in-settings.ts'
import { isReading } from './same-origin.ts'

/** Changes that a person may make without a second factor: get one, and end what a thief may have. */
const allowed = [
  /^\/operator\/v1\/second-factor(?:\/confirm)?$/,
  /^\/operator\/v1\/operator-tokens\/[^/]+\/revoke$/,
  /^\/operator\/v1\/sessions\/[^/]+\/end$/,
]

/**
 * Refuses a change of a session, or by a token alone, where the setting asks for a second factor.
 *
 * @param isSeen  of the session; false for a token that was presented without one
 * @throws ApiError 403
 */
export function requireSecondFactor(
  req: Request,
  { secondFactor }: Pick<SignInPolicy, 'secondFactor'>,
  isSeen: boolean,
): void {
  if (secondFactor === 'optional' || isSeen || isReading(req)) return
  if (!allowed.some((path) => path.test(req.path))) throw new ApiError('SECOND_FACTOR_REQUIRED')
}
