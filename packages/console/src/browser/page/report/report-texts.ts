import { texts } from '../../text/text.ts'

export const reportTexts = texts({
  title: { en: 'Reports', es: 'Informes' },
  balances: { en: 'Balances', es: 'Saldos' },
  period: { en: 'Month or day', es: 'Mes o día' },
  periodHint: { en: '2026-11 or 2026-11-20', es: '2026-11 o 2026-11-20' },
  show: { en: 'Show', es: 'Mostrar' },
  zone: { en: 'Zone of days', es: 'Zona de los días' },
  open: { en: 'Open: it can still change', es: 'Abierto: aún puede cambiar' },
  final: { en: 'Final', es: 'Definitivo' },
  byDay: { en: 'By day', es: 'Por día' },
  byTenant: { en: 'By tenant', es: 'Por cliente' },
  revenue: { en: 'Revenue', es: 'Ingresos' },
  spread: { en: 'Spread', es: 'Margen' },
  fee: { en: 'Fees', es: 'Comisiones' },
  spreadUndone: { en: 'Spread refunded', es: 'Margen reembolsado' },
  feeUndone: { en: 'Fees refunded', es: 'Comisiones reembolsadas' },
  total: { en: 'All tenants', es: 'Todos los clientes' },
  none: { en: 'No payout ended in this period.', es: 'Ningún pago terminó en este período.' },
  trial: { en: 'Trial balance', es: 'Balance de comprobación' },
  account: { en: 'Account', es: 'Cuenta' },
  side: { en: 'Side', es: 'Lado' },
  amount: { en: 'Amount', es: 'Monto' },
  basis: { en: 'Basis', es: 'Base' },
  asOf: { en: 'As of', es: 'Al' },
  exposure: { en: 'Exposure', es: 'Exposición' },
  received: { en: 'USDT received and not sold', es: 'USDT recibidos y no vendidos' },
  left: { en: 'BOB left at the network', es: 'BOB que quedan en la red' },
  limit: { en: 'Limit', es: 'Límite' },
  stopped: { en: 'No quotes are given', es: 'No se cotiza' },
  liquidity: { en: 'Liquidity', es: 'Liquidez' },
  floor: { en: 'Floor', es: 'Mínimo' },
  belowFloor: { en: 'Below the floor', es: 'Bajo el mínimo' },
  runsOut: { en: 'Runs out', es: 'Se agota' },
  movements: { en: 'The operator’s own movements', es: 'Movimientos propios del operador' },
  noMovements: {
    en: 'None is recorded: quipu-admin treasury record.',
    es: 'No hay ninguno: quipu-admin treasury record.',
  },
  kind: { en: 'Kind', es: 'Tipo' },
  reference: { en: 'Reference', es: 'Referencia' },
  by: { en: 'Recorded by', es: 'Registrado por' },
})

export const sideTexts = texts({
  asset: { en: 'Asset', es: 'Activo' },
  claim: { en: 'Claim', es: 'Pasivo y capital' },
  unexplained: { en: 'Unexplained', es: 'Sin explicar' },
})

export const basisTexts = texts({
  recorded: { en: 'Recorded', es: 'Registrado' },
  observed: { en: 'Observed', es: 'Observado' },
})

export const accountTexts = texts({
  top_up_addresses: { en: 'Top-up addresses', es: 'Direcciones de recarga' },
  chain_differences: { en: 'Differences of the chain', es: 'Diferencias de la cadena' },
  treasury: { en: 'Treasury', es: 'Tesorería' },
  bank: { en: 'Bank', es: 'Banco' },
  network: { en: 'QR network', es: 'Red QR' },
  tenants_available: { en: 'Tenants, available', es: 'Clientes, disponible' },
  tenants_held: { en: 'Tenants, held', es: 'Clientes, retenido' },
  tenants: { en: 'Tenants', es: 'Clientes' },
  uncredited_deposits: { en: 'Deposits not credited', es: 'Depósitos sin acreditar' },
  payouts: { en: 'Payouts', es: 'Pagos' },
  returned_payments: { en: 'Returned payments', es: 'Pagos devueltos' },
  adjustments: { en: 'Adjustments', es: 'Ajustes' },
  sales: { en: 'Sales', es: 'Ventas' },
  capital: { en: 'Capital', es: 'Capital' },
  fees: { en: 'Fees', es: 'Comisiones' },
  unexplained: { en: 'Unexplained', es: 'Sin explicar' },
})

export const movementTexts = texts({
  sale: { en: 'Sale of USDT', es: 'Venta de USDT' },
  funding: { en: 'Funding of the network', es: 'Abono a la red' },
  withdrawal: { en: 'Withdrawal from the network', es: 'Retiro de la red' },
  capital_in: { en: 'Capital in', es: 'Aporte de capital' },
  capital_out: { en: 'Capital out', es: 'Retiro de capital' },
  fee: { en: 'Fee', es: 'Comisión' },
})
