import type { Route } from '../json-server.ts'
import type { Hub } from './hub.ts'
import { balances, movements } from './operation/accounts.ts'
import { confirm, transactionOf } from './operation/confirm.ts'
import { scan } from './operation/scan.ts'
import { referenceOf, status } from './operation/status.ts'
import { tokenRoute } from './operation/token.ts'
import { route } from './route.ts'

const qr = '/payout/sync/v3/qr'
const accounts = '/cuentas-comercios/v1/cuentas'

/** The network's public API: token, QR payouts, balance and movements. */
export const publicRoutes = (hub: Hub): Route[] => {
  const payout = { method: 'POST', family: 'payout' } as const
  const account = { method: 'POST', family: 'accounts' } as const
  return [
    tokenRoute(hub),
    route(hub, { ...payout, operation: 'scan', path: `${qr}/scan`, operate: scan }),
    route(hub, {
      ...payout,
      operation: 'confirm',
      path: `${qr}/confirm`,
      referenceOf: transactionOf,
      operate: confirm,
    }),
    route(hub, {
      ...payout,
      method: 'GET',
      operation: 'status',
      path: `${qr}/status/:reference`,
      referenceOf,
      operate: status,
    }),
    route(hub, { ...account, operation: 'saldos', path: `${accounts}/saldos`, operate: balances }),
    route(hub, { ...account, operation: 'debitos', path: `${accounts}/debitos`, operate: movements('debitos') }),
    route(hub, { ...account, operation: 'creditos', path: `${accounts}/creditos`, operate: movements('creditos') }),
  ]
}
