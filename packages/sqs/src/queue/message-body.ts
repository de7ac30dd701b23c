import type { DeliveryRef } from '@quipu/core/adapter'

/** The two ids and nothing else: everything about a delivery is in the database. */
export const bodyOf = ({ endpointId, eventId }: DeliveryRef): string => JSON.stringify({ endpointId, eventId })

/** Two ids, and space for members that a later version may add. */
const bodyLengthMax = 1_000
const endpointIdPattern = /^we_[0-9A-HJKMNP-TV-Z]{26}$/
const eventIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @returns undefined when the body names no delivery */
export function refOf(body: string | undefined): DeliveryRef | undefined {
  if (body === undefined || body.length > bodyLengthMax) return undefined
  const { endpointId, eventId } = membersOf(body)
  if (typeof endpointId !== 'string' || !endpointIdPattern.test(endpointId)) return undefined
  if (typeof eventId !== 'string' || !eventIdPattern.test(eventId)) return undefined
  return { endpointId, eventId }
}

type Members = { readonly endpointId?: unknown; readonly eventId?: unknown }

function membersOf(body: string): Members {
  try {
    return (JSON.parse(body) as Members | null) ?? {}
  } catch {
    return {}
  }
}
