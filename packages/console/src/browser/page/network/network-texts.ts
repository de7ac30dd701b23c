import { texts } from '../../text/text.ts'

export const networkTexts = texts({
  title: { en: 'QR network', es: 'Red QR' },
  identity: { en: 'Payouts are ordered at', es: 'Los pagos se ordenan en' },
  by: { en: 'Confirmed by', es: 'Confirmada por' },
  at: { en: 'Since', es: 'Desde' },
  halts: { en: 'Halted', es: 'Detenidas' },
  network: { en: 'Network', es: 'Red' },
  why: { en: 'Why', es: 'Por qué' },
  other: {
    en: 'Another network than the one of the books: its processes neither pay nor settle.',
    es: 'Otra red que la de los libros: sus procesos no pagan ni liquidan.',
  },
  forgot: { en: 'It does not know this completed payout:', es: 'No conoce este pago completado:' },
  nothing: { en: 'Every process uses the network of the books.', es: 'Todos los procesos usan la red de los libros.' },
  confirm: { en: 'Confirm a network', es: 'Confirmar una red' },
  confirmHint: {
    en: 'Payouts are ordered there from now on. Those of before are not cancelled there, unless it knows what was completed before. Confirm only what the network itself reports.',
    es: 'Desde ahora los pagos se ordenan ahí. Los anteriores no se cancelan ahí, salvo que conozca lo que se completó antes. Confirme solo lo que la propia red le haya informado.',
  },
  confirmed: { en: 'The network is confirmed.', es: 'La red está confirmada.' },
})

export const yesNoTexts = texts({ yes: { en: 'Yes', es: 'Sí' }, no: { en: 'No', es: 'No' } })

/** Abilities and proofs of a network. */
export const abilityTexts = texts({
  heading: { en: 'What it can prove', es: 'Qué puede probar' },
  configured: { en: 'This API uses', es: 'Esta API usa' },
  unpaidProof: { en: 'An order was not paid', es: 'Una orden no se pagó' },
  byCancel: { en: 'it cancels the reference', es: 'cancela la referencia' },
  byStatement: {
    en: (seconds: number) => `its statement lacks it after ${seconds} s`,
    es: (seconds: number) => `no está en su extracto después de ${seconds} s`,
  },
  byPeople: { en: 'no proof: two people settle by evidence', es: 'sin prueba: dos personas liquidan con evidencia' },
  identityProof: { en: 'It is the network of the books', es: 'Es la red de los libros' },
  byStatus: { en: 'it knows a completed payment', es: 'conoce un pago completado' },
  byList: { en: 'its statement lists a completed payment', es: 'su extracto tiene un pago completado' },
  repeatable: { en: 'A repeated order pays only once', es: 'Una orden repetida paga una sola vez' },
  singleUse: { en: 'Each payout reads its QR anew', es: 'Cada pago lee su QR de nuevo' },
  newReference: { en: 'The order may get a new reference', es: 'La orden puede recibir otra referencia' },
  callbacks: { en: 'It calls back', es: 'Avisa los cambios' },
  grain: { en: 'Its statement is read by', es: 'Su extracto se lee por' },
  byDay: { en: 'whole day', es: 'día entero' },
  byInstant: { en: 'instants', es: 'instantes' },
})
