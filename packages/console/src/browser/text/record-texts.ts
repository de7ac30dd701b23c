import { texts } from './text.ts'

/** Names of members that many records have. */
export const recordTexts = texts({
  id: { en: 'Id', es: 'Id' },
  created: { en: 'Created', es: 'Creado' },
  tenant: { en: 'Tenant', es: 'Cliente' },
  status: { en: 'Status', es: 'Estado' },
  subject: { en: 'Subject', es: 'Sujeto' },
  amount: { en: 'Amount', es: 'Monto' },
  reason: { en: 'Reason', es: 'Motivo' },
  actions: { en: 'Actions', es: 'Acciones' },
  expires: { en: 'Expires', es: 'Vence' },
  person: { en: 'Person', es: 'Persona' },
  at: { en: 'At', es: 'Momento' },
  detail: { en: 'Detail', es: 'Detalle' },
  address: { en: 'Address', es: 'Dirección' },
  hash: { en: 'Transaction hash', es: 'Hash de la transacción' },
  proposed: {
    en: 'Proposed: another person has to approve it under Approvals.',
    es: 'Propuesta registrada: otra persona debe aprobarla en Aprobaciones.',
  },
})
