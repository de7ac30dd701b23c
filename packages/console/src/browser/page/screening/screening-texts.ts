import { texts } from '../../text/text.ts'

export const screeningTexts = texts({
  title: { en: 'Screening', es: 'Verificación' },
  one: { en: 'Screening case', es: 'Caso de verificación' },
  kind: { en: 'Who', es: 'Quién' },
  outcome: { en: 'Outcome', es: 'Resultado' },
  name: { en: 'Screened', es: 'Verificado' },
  list: { en: 'List', es: 'Lista' },
  version: { en: 'Version', es: 'Versión' },
  reference: { en: 'Last at', es: 'Último en' },
  hits: { en: 'Hits', es: 'Coincidencias' },
  opened: { en: 'Opened', es: 'Abierto' },
  lastHit: { en: 'Last hit', es: 'Última coincidencia' },
  decidedAt: { en: 'Decided', es: 'Decidido' },
  decidedBy: { en: 'Approved by', es: 'Aprobado por' },
  decision: { en: 'Decision', es: 'Decisión' },
  empty: {
    en: 'No case matches: nobody was found on a list.',
    es: 'Ningún caso coincide: nadie fue encontrado en una lista.',
  },
  decide: { en: 'Decide', es: 'Decidir' },
  decideHint: {
    en: 'Cleared: it is another one, and passes from now on. Confirmed: it is the one on the list. An admin has to approve it.',
    es: 'Descartado: es otro, y pasa desde ahora. Confirmado: es el de la lista. Un administrador debe aprobarlo.',
  },
})

export const screeningKindTexts = texts({
  sender: { en: 'Sender of a deposit', es: 'Remitente de un depósito' },
  merchant: { en: 'Merchant', es: 'Comercio' },
  tenant: { en: 'Tenant', es: 'Cliente' },
})

export const screeningOutcomeTexts = texts({
  listed: { en: 'Listed', es: 'En una lista' },
  unanswered: { en: 'No answer', es: 'Sin respuesta' },
})

export const screeningStatusTexts = texts({
  open: { en: 'Open', es: 'Abierto' },
  cleared: { en: 'Cleared', es: 'Descartado' },
  confirmed: { en: 'Confirmed', es: 'Confirmado' },
  answered: { en: 'Over', es: 'Terminado' },
})
