import { texts } from '../../text/text.ts'

/** The block of a transaction, and how many of its transfers go elsewhere. */
export type ChainFacts = { readonly block: number; readonly others: number }

export const searchTexts = texts({
  title: { en: 'Search', es: 'Buscar' },
  hint: {
    en: 'A part of a tenant’s name, or of its contact’s name or e-mail; the whole id of a record, a tenant’s own id of a payout, a transaction hash, a top-up address, the network’s reference of a QR or id of a payment, or the last four characters of an API key. Of an API key or an operator’s token that was found only the hash is sent.',
    es: 'Una parte del nombre de un cliente, o del nombre o correo de su contacto; el id completo de un registro, el id propio de un cliente para un pago, un hash de transacción, una dirección de recarga, la referencia de un QR o el id de un pago en la red, o los últimos cuatro caracteres de una clave de API. De una clave de API o un token de operador encontrados solo se envía el hash.',
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
  not_yet_solid: {
    en: ({ block }: ChainFacts) => `Block ${block} has it, which is not yet solid, so not final.`,
    es: ({ block }: ChainFacts) => `El bloque ${block} la tiene y aún no es sólido: no es definitiva.`,
  },
  unknown: {
    en: 'No block of the node has it: it never entered one, or is of another chain.',
    es: 'Ningún bloque del nodo la tiene: nunca entró en uno, o es de otra cadena.',
  },
  no_chain: { en: 'No chain is configured.', es: 'No hay ninguna cadena configurada.' },
  address: { en: 'Top-up address', es: 'Dirección de recarga' },
  amount: { en: 'USDT, or the other token’s contract', es: 'USDT, o el contrato del otro token' },
  outcome: { en: 'Outcome', es: 'Resultado' },
  retired: { en: 'to a retired address', es: 'a una dirección retirada' },
  summary: { en: 'Summary', es: 'Resumen' },
  empty: {
    en: 'Nothing has this name. Of a tenant’s name a part suffices; ids are searched whole.',
    es: 'Nada tiene este nombre. De un cliente basta una parte; los ids se buscan completos.',
  },
})

export const outcomeTexts = texts({
  deposit: { en: 'Made the deposit', es: 'Hizo el depósito' },
  unknown_token: { en: 'Another token: not credited', es: 'Otro token: no se acredita' },
  zero_value: { en: 'Zero value: not credited', es: 'Valor cero: no se acredita' },
  not_scanned: { en: 'Its block is not scanned yet', es: 'Su bloque aún no se leyó' },
  not_recorded: { en: 'Scanned without a deposit: look for an alert', es: 'Leído sin depósito: busque una alerta' },
})
