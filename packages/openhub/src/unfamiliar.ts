import type { ExactJson } from '@quipu/http-json'
import type { Heard } from './envelope.ts'
import { masked, memberOf } from './fields.ts'
import { orderStates } from './payment-answer.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const recipient = 'cuentaDestino ciNitDestino titularDestino codigoBancoDestino nombreBancoDestino'
const order = `numeroReferencia transaccionId fechaHoraTransaccion estado mensaje importe moneda glosa numOrdenAch
  cuentaOrigen titularOrigen ${recipient}`
const movement = `transactionId tipoOperacion estado mensaje fechaHoraTransaccion importe importeComision importeTotal moneda
  cuentaOrigen ciClienteOrigen nombreClienteOrigen codigoBancoOrigen nombreBancoOrigen cuentaDestino ciClienteDestino
  nombreClienteDestino codigoBancoDestino nombreBancoDestino numeroReferencia numOrdenAch numOrdenDestinatario`
const movementStates = 'COMPLETADO COMPLETADA RECHAZADO RECHAZADA REVERTIDO REVERTIDA'
const accountCodes = '00 02 05 15 17 99'

type Documented = Readonly<Record<'member' | 'code' | 'state', ReadonlySet<string>>>

const known = (members: string, codes: string, states: string | readonly string[]): Documented => ({
  member: words(members),
  code: words(codes),
  state: typeof states === 'string' ? words(states) : new Set(states),
})

/** A call of OpenHub that has an envelope. */
export type OpenHubOperation = 'scan' | 'confirm' | 'status' | 'saldos' | 'debitos' | 'creditos'

/** The documentation of each call. @source the public facts that the README names */
const documented: Readonly<Record<OpenHubOperation, Documented>> = {
  scan: known(
    `importe moneda glosa numeroReferencia fechaVencimiento ${recipient}`,
    '00 02 08 09 10 95 99',
    orderStates,
  ),
  confirm: known(order, '00 02 04 08 09 10 11 12 13 14 15 94 95 96 99', orderStates),
  status: known(order, '00 04 94 95 96 99', orderStates),
  saldos: known(
    `estado numeroCuenta tipoMoneda moneda saldoDisponible saldoContable saldoRetenido fechaUltimoCredito fechaUltimoDebito`,
    accountCodes,
    'ACTIVA BLOQUEADA SUSPENDIDA CERRADA',
  ),
  debitos: known(movement, accountCodes, movementStates),
  creditos: known(movement, accountCodes, movementStates),
}

/** A code, a state or the name of a member that an answer has and the documentation lacks. */
export type Unfamiliar = {
  readonly operation: OpenHubOperation
  readonly kind: keyof Documented
  readonly name: string
}

/** A broken OpenHub names new ones for ever. */
const reportedMax = 200

/** Reports what is new in an answer, each once. @param secrets  never part of a report */
export function unfamiliarWatch(
  report: (unfamiliar: Unfamiliar) => void,
  secrets: readonly string[],
): (operation: OpenHubOperation, heard: Heard) => void {
  const reported = new Set<string>()
  const check = (operation: OpenHubOperation, kind: keyof Documented, name: string): void => {
    if (documented[operation][kind].has(name)) return
    const shown = secrets.some((secret) => name.includes(secret)) ? '…' : masked(name).slice(0, 40)
    const key = `${operation} ${kind} ${shown}`
    if (reported.has(key) || reported.size >= reportedMax) return
    reported.add(key)
    report({ operation, kind, name: shown })
  }
  return (operation, heard) => {
    if (heard.type !== 'envelope') return
    check(operation, 'code', heard.code)
    if (heard.code !== '00') return
    for (const row of Array.isArray(heard.data) ? (heard.data as readonly ExactJson[]) : [heard.data]) {
      if (typeof row !== 'object' || row === null) continue
      for (const name of Object.keys(row)) check(operation, 'member', name)
      const state = memberOf(row, 'estado')?.toUpperCase()
      if (state !== undefined) check(operation, 'state', state)
    }
  }
}
