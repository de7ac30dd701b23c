import { texts } from '../../text/text.ts'

/** The block of a transaction, and how many of its transfers go elsewhere. */
type ChainFacts = { readonly block: number; readonly others: number }

export const searchTexts = texts({
  title: { en: 'Search', es: 'Buscar' },
  hint: {
    en: 'The whole id of a record, a tenant’s own id of a payout, a transaction hash, a top-up address, the network’s reference of a QR or id of a payment, or the last four characters of an API key. Of an API key or an operator’s token that was found only the hash is sent.',
    es: 'El id completo de un registro, el id propio de un cliente para un pago, un hash de transacción, una dirección de recarga, la referencia de un QR o el id de un pago en la red, o los últimos cuatro caracteres de una clave de API. De una clave de API o un token de operador encontrados solo se envía el hash.',
  },
  resultsFor: { en: (text: string) => `Results for “${text}”`, es: (text: string) => `Resultados de «${text}»` },
  kind: { en: 'Kind', es: 'Tipo' },
  id: { en: 'Record', es: 'Registro' },
  tenant: { en: 'Tenant', es: 'Cliente' },
  onChain: { en: 'On the chain', es: 'En la cadena' },
  solid: {
    en: ({ block, others }: ChainFacts) =>
      `Solid block ${block} has it, with ${others} transfers to addresses that are not ours. With none at all it failed, or moved no tokens.`,
    es: ({ block, others }: ChainFacts) =>
      `El bloque sólido ${block} la tiene, con ${others} transferencias a direcciones que no son nuestras. Sin ninguna, falló o no movió tokens.`,
  },
  not_solid: {
    en: 'No solid block has it: it is not final, never entered a block, or is of another chain.',
    es: 'Ningún bloque sólido la tiene: no es definitiva, nunca entró en un bloque, o es de otra cadena.',
  },
  no_chain: { en: 'No chain is configured.', es: 'No hay ninguna cadena configurada.' },
  address: { en: 'Top-up address', es: 'Dirección de recarga' },
  amount: { en: 'USDT, or the other token’s contract', es: 'USDT, o el contrato del otro token' },
  outcome: { en: 'Outcome', es: 'Resultado' },
  summary: { en: 'Summary', es: 'Resumen' },
  empty: {
    en: 'Nothing has exactly this name. A search takes whole ids, not parts of them.',
    es: 'Nada tiene exactamente este nombre. La búsqueda acepta ids completos, no partes.',
  },
})
