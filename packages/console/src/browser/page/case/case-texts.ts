import { texts } from '../../text/text.ts'

export const caseTexts = texts({
  heading: { en: 'Notes', es: 'Notas' },
  takenBy: { en: 'Taken by', es: 'A cargo de' },
  nobody: { en: 'nobody', es: 'nadie' },
  empty: { en: 'Nobody has written a note.', es: 'Nadie ha escrito una nota.' },
  note: { en: 'Note', es: 'Nota' },
  take: { en: 'Take', es: 'Tomar' },
  takeHint: { en: 'Others see that you work on it.', es: 'Los demás verán que usted se ocupa.' },
  taken: { en: 'You have taken it.', es: 'Usted lo tomó.' },
  release: { en: 'Release', es: 'Liberar' },
  releaseHint: { en: 'Another person can take it then.', es: 'Otra persona podrá tomarlo.' },
  released: { en: 'It is released.', es: 'Quedó libre.' },
  add: { en: 'Add a note', es: 'Agregar una nota' },
  addHint: { en: 'It stays for good, with your name.', es: 'Queda para siempre, con su nombre.' },
  added: { en: 'The note is there.', es: 'La nota quedó registrada.' },
})
