import { hash } from 'node:crypto'
import { id, text, type Members } from '../formats.ts'

/** The merchant with an account and a document, which follow from its name. */
export function recipientOf({ name, bankCode }: { readonly name: string; readonly bankCode: string }): Members {
  const digits = BigInt(`0x${hash('sha256', name, 'hex').slice(0, 15)}`)
    .toString()
    .padStart(18, '1')
  return {
    cuentaDestino: id(`4${digits.slice(0, 9)}`),
    ciNitDestino: id(`1${digits.slice(9, 16)}`),
    titularDestino: text(name),
    codigoBancoDestino: id(bankCode),
    nombreBancoDestino: text(''),
  }
}
