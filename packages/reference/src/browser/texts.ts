import { languages, textsIn } from '../text/language.ts'

const language = languages.find((each) => each === document.documentElement.lang) ?? 'en'

/** The words of the script. `{}` is where a value stands. */
export const texts = textsIn(
  {
    whatToDo: { en: 'What to do: ', es: 'Qué hacer: ' },
    answered: { en: ' in {} ms', es: ' en {} ms' },
    copy: { en: 'Copy', es: 'Copiar' },
    copied: { en: 'Copied', es: 'Copiado' },
    notCopied: { en: 'Copying failed: select the text', es: 'No se pudo copiar: seleccione el texto' },
    waiting: { en: 'Waiting for the answer…', es: 'Esperando la respuesta…' },
    noAnswer: {
      en: 'There was no answer from {}. Is it running, and does it let this page call?',
      es: 'No hubo respuesta de {}. ¿Está en marcha, y permite que esta página lo llame?',
    },
    otherKey: {
      en: 'Nothing was sent: keys of this server begin with {}, and other keys are not sent to it.',
      es: 'No se envió nada: las claves de este servidor empiezan por {}, y otras no se le envían.',
    },
    noKey: {
      en: 'Nothing was sent: enter your {} at the top of the page first.',
      es: 'No se envió nada: ingrese primero su {} arriba en la página.',
    },
    nothingSent: { en: 'Nothing was sent.', es: 'No se envió nada.' },
    changesData: {
      en: 'This changes the data of the service. Send it?',
      es: 'Esto cambia los datos del servicio. ¿Enviarlo?',
    },
    liveKey: {
      en: 'This is a live key: the request moves real money. Send it?',
      es: 'Es una clave de producción: la solicitud mueve dinero real. ¿Enviarla?',
    },
    step: { en: 'Step {}…', es: 'Paso {}…' },
    failed: { en: 'Step {} failed: see there.', es: 'El paso {} falló: véalo allí.' },
    done: { en: 'Done.', es: 'Listo.' },
    code: { en: 'Code', es: 'Código' },
    memberOf: { en: 'Member of {}', es: 'Miembro de {}' },
    guide: { en: 'Guide: {}', es: 'Guía: {}' },
    schema: { en: 'Schema', es: 'Esquema' },
    event: { en: 'Event', es: 'Evento' },
    section: { en: 'Section', es: 'Sección' },
  },
  language,
)

/** A text with its value. */
export const filled = (text: string, value: string | number): string => text.replace('{}', () => String(value))
