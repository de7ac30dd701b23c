import { z } from 'zod'
import type { Call } from '../../json-server.ts'
import { amount, id, text, time, type Members } from '../formats.ts'
import type { Hub } from '../hub.ts'
import { replyTo } from '../plan.ts'
import { CodeRefusal, type Result } from '../route.ts'
import type { Operation } from '../switches/switches.ts'
import { recipientOf } from './recipient.ts'
import { statementRows, type MovementRow } from './statement.ts'

const BalanceRequest = z.strictObject({
  nit: z.string().regex(/^\d{7,20}$/),
  numeroCuentas: z
    .array(z.string().regex(/^\d{8,20}$/))
    .min(1)
    .max(10),
})

/** `POST …/saldos` */
export function balances(hub: Hub, { body }: Call): Result {
  const { nit, numeroCuentas } = parsed(BalanceRequest, body)
  checkOwner(hub, nit, numeroCuentas)
  return { data: numeroCuentas.map((account) => balanceMembers(hub, account)), reply: replyTo(hub, 'saldos') }
}

function balanceMembers({ ledger, switches }: Hub, account: string): Members {
  const available = ledger.available(account)
  return {
    estado: text(switches.current().account_state),
    numeroCuenta: id(account),
    tipoMoneda: text('BOB'),
    saldoDisponible: amount(available),
    saldoContable: amount(available),
    saldoRetenido: amount(0n),
    fechaUltimoCredito: null,
    fechaUltimoDebito: null,
  }
}

const StatementRequest = z.strictObject({
  nit: z.string().regex(/^\d{7,20}$/),
  numeroCuenta: z.tuple([z.string().regex(/^\d{8,20}$/)]),
  fechaInicio: z.iso.date(),
  fechaFin: z.iso.date(),
  tipo: z.enum(['D', 'C']),
})

/** `POST …/debitos`, `POST …/creditos`: the movements of whole Bolivian days of one account. */
export const movements =
  (operation: Extract<Operation, 'debitos' | 'creditos'>) =>
  async (hub: Hub, { body }: Call): Promise<Result> => {
    const request = parsed(StatementRequest, body)
    const { nit, numeroCuenta, fechaInicio, fechaFin } = request
    const type = operation === 'debitos' ? 'D' : 'C'
    if (request.tipo !== type) throw new CodeRefusal('02', "El campo 'tipo' no es válido")
    checkOwner(hub, nit, numeroCuenta)
    const { debits_days_max } = hub.switches.current()
    const days = (Date.parse(fechaFin) - Date.parse(fechaInicio)) / 86_400_000
    if (days < 0 || days > debits_days_max)
      throw new CodeRefusal('02', `El rango de fechas no debe exceder ${debits_days_max} días`)
    await hub.switches.gate.enter('before_statement', operation)
    const rows = statementRows(hub, { account: numeroCuenta[0], type, from: fechaInicio, to: fechaFin })
    return { data: rows.map((row) => movementMembers(hub, row)), reply: replyTo(hub, operation) }
  }

function movementMembers({ nit, switches }: Hub, row: MovementRow): Members {
  const { debits_with_transaction_id } = switches.current()
  const { cuentaDestino, ciNitDestino } = row.recipient === '' ? {} : recipientOf({ name: row.recipient, bankCode: '' })
  return {
    transactionId: text(debits_with_transaction_id ? row.transactionId : ''),
    tipoOperacion: text(row.operation),
    estado: text('COMPLETADO'),
    mensaje: text(''),
    fechaHoraTransaccion: time(row.at),
    importe: amount(row.amount),
    importeComision: amount(row.commission),
    importeTotal: amount(row.amount + row.commission),
    moneda: text('BOB'),
    cuentaOrigen: id(row.account),
    ciClienteOrigen: id(nit),
    nombreClienteOrigen: text('CUENTA DE PAGOS'),
    codigoBancoOrigen: id('140'),
    nombreBancoOrigen: text('ATC-RED ENLACE'),
    cuentaDestino: cuentaDestino ?? text(''),
    ciClienteDestino: ciNitDestino ?? text(''),
    nombreClienteDestino: text(row.recipient),
    codigoBancoDestino: id('018'),
    nombreBancoDestino: text('BANCO DEMO'),
    numeroReferencia: id(row.number.slice(-14)),
    numOrdenAch: id(row.number),
    numOrdenDestinatario: id(`1056${row.number.slice(-10)}`),
  }
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const fields = result.error.issues.map(({ path }) => `El campo '${path.join('.')}' no es válido`)
  throw new CodeRefusal('02', fields.join('; '))
}

function checkOwner(hub: Hub, nit: string, accounts: readonly string[]): void {
  if (nit !== hub.nit) throw new CodeRefusal('17', 'No existe el comercio.')
  if (accounts.some((account) => !hub.accounts.includes(account))) throw new CodeRefusal('15', 'No existe la cuenta.')
}
