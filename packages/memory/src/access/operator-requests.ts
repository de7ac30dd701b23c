import type { OperatorRequest, UsedRequest } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

/** Remembers a request. @returns the first one, if the person has used its key before */
export function rememberRequest(
  database: Database,
  person: string,
  request: OperatorRequest | undefined,
  subject: string,
): UsedRequest | undefined {
  if (request === undefined) return undefined
  const place = JSON.stringify([person, request.key])
  const used = database.operatorRequests.get(place)
  if (used === undefined) database.operatorRequests.set(place, { fingerprint: request.fingerprint, subject })
  return used
}
