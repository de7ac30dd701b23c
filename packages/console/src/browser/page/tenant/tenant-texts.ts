import { texts } from '../../text/text.ts'

export const tenantTexts = texts({
  title: { en: 'Tenants', es: 'Clientes' },
  one: { en: 'Tenant', es: 'Cliente' },
  name: { en: 'Legal name', es: 'Razón social' },
  contactName: { en: 'Technical contact', es: 'Contacto técnico' },
  contactEmail: { en: 'Email of the contact', es: 'Correo del contacto' },
  margin: { en: 'Margin, basis points', es: 'Margen, puntos básicos' },
  fee: { en: 'Fee, basis points', es: 'Comisión, puntos básicos' },
  feeFixed: { en: 'Fixed fee, USDT', es: 'Comisión fija, USDT' },
  cap: { en: 'Largest payout, BOB', es: 'Pago máximo, BOB' },
  dailyAmount: { en: 'Daily limit, USDT', es: 'Límite diario, USDT' },
  dailyCount: { en: 'Daily limit, payouts', es: 'Límite diario, pagos' },
  nameOrId: { en: 'Name or id', es: 'Nombre o id' },
  offered: {
    en: (count: string) => `${count} tenants fit: choose one.`,
    es: (count: string) => `${count} clientes coinciden: elija uno.`,
  },
  text: { en: 'Name, contact or e-mail', es: 'Nombre, contacto o correo' },
  usedAmount: { en: 'Today, UTC', es: 'Hoy, UTC' },
  usedCount: { en: 'Payouts today', es: 'Pagos hoy' },
  unlimited: { en: 'no limit', es: 'sin límite' },
  of: {
    en: ([used, limit]: readonly [string, string]) => `${used} of ${limit}`,
    es: ([used, limit]: readonly [string, string]) => `${used} de ${limit}`,
  },
  details: { en: 'Details', es: 'Datos' },
  terms: { en: 'Pricing and limits', es: 'Precios y límites' },
  wallet: { en: 'Wallet', es: 'Billetera' },
  available: { en: 'Available', es: 'Disponible' },
  held: { en: 'Held', es: 'Retenido' },
  total: { en: 'Total', es: 'Total' },
  newestEntry: { en: 'Newest movement', es: 'Último movimiento' },
  activity: { en: 'Last 30 days', es: 'Últimos 30 días' },
  noActivity: { en: 'No payout ended in the last 30 days.', es: 'Ningún pago terminó en los últimos 30 días.' },
  records: { en: 'Records of this tenant', es: 'Registros de este cliente' },
  payouts: { en: 'Payouts', es: 'Pagos' },
  deposits: { en: 'Deposits', es: 'Depósitos' },
  endpoints: { en: 'Webhook endpoints', es: 'Endpoints de webhooks' },
  deliveries: { en: 'Deliveries', es: 'Entregas' },
  proposals: { en: 'Proposals', es: 'Propuestas' },
  differences: { en: 'Differences', es: 'Diferencias' },
  audit: { en: 'Audit log', es: 'Auditoría' },
  empty: {
    en: 'There is no tenant yet. Create one, then issue an API key for it.',
    es: 'Todavía no hay clientes. Cree uno y emita una clave de API para él.',
  },
  free: {
    en: 'Margin and fees are zero: this tenant’s payments earn nothing.',
    es: 'El margen y las comisiones son cero: los pagos de este cliente no dejan ganancia.',
  },
  suspension: { en: 'Suspension', es: 'Suspensión' },
  since: { en: 'Since', es: 'Desde' },
  addresses: { en: 'Top-up addresses', es: 'Direcciones de recarga' },
  address: { en: 'Address', es: 'Dirección' },
  retiredAt: { en: 'Retired', es: 'Retirada' },
  noAddress: {
    en: 'It has none yet: its first read of the wallet creates one.',
    es: 'Todavía no tiene: la primera lectura de la billetera crea una.',
  },
  noWallet: { en: 'The tenant has no wallet yet.', es: 'El cliente todavía no tiene billetera.' },
})

export const tenantStatusTexts = texts({
  active: { en: 'Active', es: 'Activo' },
  suspended: { en: 'Suspended', es: 'Suspendido' },
})

export const tenantActionTexts = texts({
  create: { en: 'Create a tenant', es: 'Crear un cliente' },
  createHint: {
    en: 'With an empty wallet and the margin of DEFAULT_MARGIN_BPS; an admin changes pricing and limits afterwards.',
    es: 'Con una billetera vacía y el margen de DEFAULT_MARGIN_BPS; luego un admin cambia precios y límites.',
  },
  created: {
    en: (name: string) => `${name} was created. Issue an API key next.`,
    es: (name: string) => `Se creó ${name}. Ahora emita una clave de API.`,
  },
  edit: { en: 'Change the details', es: 'Cambiar los datos' },
  editHint: {
    en: 'The technical contact is notified of what happens to the API keys.',
    es: 'El contacto técnico recibe avisos de lo que ocurre con las claves de API.',
  },
  erase: { en: 'Erase the contact', es: 'Borrar el contacto' },
  eraseHint: {
    en: 'Erases its name and e-mail and those of former contacts, also in the audit log. It cannot be undone; the tenant gets no notices until a contact is set.',
    es: 'Borra su nombre y correo y los de contactos anteriores, también en la auditoría. No se puede deshacer; el cliente no recibe avisos hasta que se fije un contacto.',
  },
  erased: { en: 'The contact was erased.', es: 'Se borró el contacto.' },
  price: { en: 'Change the pricing', es: 'Cambiar los precios' },
  priceHint: {
    en: 'Counts for new quotes; open quotes keep their price. In production another admin approves it first.',
    es: 'Vale para nuevas cotizaciones; las abiertas conservan su precio. En producción lo aprueba antes otro admin.',
  },
  limit: { en: 'Change the limits', es: 'Cambiar los límites' },
  limitHint: {
    en: 'A lower limit counts at once. Above the approval limits a higher one takes effect once another admin approves it. Empty daily limits: none.',
    es: 'Un límite menor vale de inmediato. Por encima de los límites de aprobación, uno mayor rige cuando otro admin lo aprueba. Límites diarios vacíos: ninguno.',
  },
  changed: { en: 'Changed.', es: 'Cambio hecho.' },
  suspend: { en: 'Suspend', es: 'Suspender' },
  suspendHint: {
    en: 'Its API keys stop working within seconds. Payouts under way are settled as usual. Its technical contact gets a notice, without cause and reason. After a court order, fraud or sanctions two people resume it.',
    es: 'Sus claves de API dejan de funcionar en segundos. Los pagos en curso se liquidan como siempre. Su contacto técnico recibe un aviso, sin causa ni motivo. Tras una orden judicial, fraude o sanciones lo reactivan dos personas.',
  },
  suspended: { en: 'The tenant is suspended.', es: 'El cliente está suspendido.' },
  cause: { en: 'Cause', es: 'Causa' },
  resume: { en: 'Resume', es: 'Reactivar' },
  resumeHint: {
    en: 'Its API keys work again, and its technical contact gets a notice. Where the cause says so, another person approves it first.',
    es: 'Sus claves de API vuelven a funcionar, y su contacto técnico recibe un aviso. Si la causa lo exige, antes lo aprueba otra persona.',
  },
  resumed: { en: 'The tenant is active.', es: 'El cliente está activo.' },
  adjust: { en: 'Adjust the wallet', es: 'Ajustar la billetera' },
  adjustHint: {
    en: 'Proposes to move money into or out of the wallet by hand. Another operator has to approve it, unless the amount is within the approval limit.',
    es: 'Propone mover dinero a la billetera o desde ella a mano. Otro operador debe aprobarlo, salvo que el monto esté dentro del límite de aprobación.',
  },
  adjusted: { en: 'The wallet was adjusted.', es: 'Se ajustó la billetera.' },
  notAdjusted: {
    en: (failure: string) => `The wallet was not adjusted: ${failure}.`,
    es: (failure: string) => `La billetera no se ajustó: ${failure}.`,
  },
  direction: { en: 'Direction', es: 'Dirección' },
  amountUsdt: { en: 'Amount, USDT', es: 'Monto, USDT' },
  retire: { en: 'Retire the top-up address', es: 'Retirar la dirección de recarga' },
  retireHint: {
    en: 'The tenant’s next read of its wallet creates a new address. The old one is watched for ever: deposits to it go to review.',
    es: 'La próxima lectura de la billetera crea una dirección nueva. La anterior se vigila siempre: sus depósitos van a revisión.',
  },
  retired: { en: (address: string) => `Retired: ${address}`, es: (address: string) => `Retirada: ${address}` },
})

export const causeTexts = texts({
  court_order: { en: 'Court order', es: 'Orden judicial' },
  fraud: { en: 'Fraud', es: 'Fraude' },
  sanctions: { en: 'Sanctions', es: 'Sanciones' },
  stolen_key: { en: 'Stolen key', es: 'Clave robada' },
  unpaid: { en: 'Unpaid', es: 'Impago' },
  tenant_request: { en: 'Its own request', es: 'A su pedido' },
  other: { en: 'Other', es: 'Otra' },
})

export const directionTexts = texts({
  in: { en: 'Into the wallet', es: 'A la billetera' },
  out: { en: 'Out of the wallet', es: 'De la billetera' },
})

export const statementTexts = texts({
  title: { en: 'Statement', es: 'Extracto' },
  period: { en: 'Month or day', es: 'Mes o día' },
  periodHint: { en: '2026-11 or 2026-11-20', es: '2026-11 o 2026-11-20' },
  zone: { en: 'Time zone', es: 'Zona horaria' },
  rate: { en: 'Rate', es: 'Tasa' },
  fee: { en: 'Fee', es: 'Comisión' },
  merchant: { en: 'Merchant', es: 'Comercio' },
  paid: { en: 'Paid', es: 'Pagado' },
  show: { en: 'Show the statement', es: 'Ver el extracto' },
  opening: { en: 'Opening balance', es: 'Saldo inicial' },
  closing: { en: 'Closing balance', es: 'Saldo final' },
  movements: { en: 'Movements of money', es: 'Movimientos de dinero' },
  movement: { en: 'Movement', es: 'Movimiento' },
  balance: { en: 'Balance after', es: 'Saldo después' },
  of: { en: 'Of', es: 'De' },
  open: { en: 'Open: more movements can follow', es: 'Abierto: pueden seguir movimientos' },
  final: { en: 'Final', es: 'Definitivo' },
  empty: { en: 'No money moved in this time.', es: 'En ese tiempo no se movió dinero.' },
})

export const movementTexts = texts({
  deposit: { en: 'Deposit', es: 'Depósito' },
  payout: { en: 'Payout', es: 'Pago' },
  adjustment: { en: 'Adjustment', es: 'Ajuste' },
})
