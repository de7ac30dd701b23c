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
