import { authorized, type Operator } from '../access/operator.ts'
import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'
import type { Clock } from '../time.ts'
import type { NetworkConfirmation, NetworkRecord, NetworkStore } from './network-store.ts'

/** The ports of `confirmNetwork`. */
export type ConfirmNetworkPorts = { readonly networks: Pick<NetworkStore, 'read' | 'confirm'>; readonly now: Clock }

/** Confirms a network, as an admin. */
export type ConfirmNetwork = (operator: Operator, identity: string, reason: string) => Promise<NetworkRecord>

/**
 * Confirms that payouts are ordered at this network from now on: it has moved, or it came back without its ledger.
 * Repeating it changes nothing.
 *
 * A payout that was ordered before is then never cancelled there unless the network knows what was completed before.
 *
 * @throws Unavailable when the outcome of the write is unknown; repeat the call
 * @throws Unauthorized without the active token of an admin
 * @example
 * ```ts
 * const admin = { ...ana, role: 'admin' } as const
 * const record = await confirmNetwork(ports)(admin, 'https://qr.example', 'The network has moved.')
 * console.log(record.halts.length) // 0
 * ```
 */
export function confirmNetwork(ports: ConfirmNetworkPorts): ConfirmNetwork {
  const { networks, now } = ports
  return async (operator, identity, reason) => {
    const confirmation = { identity, reason, by: operator.person, at: now() }
    authorized(await networks.confirm(confirmation, operator))
    return networks.read()
  }
}

/** The audit entry of a confirmed network. It concerns no single tenant. @param before  the network until then */
export const auditNetwork = (
  { identity, at, reason }: NetworkConfirmation,
  before: string | null,
  origin: AuditOrigin,
): AuditEntry => ({
  ...origin,
  tenantId: null,
  subject: 'network',
  at,
  action: 'network.confirm',
  before: { identity: before },
  after: { identity, reason },
})
