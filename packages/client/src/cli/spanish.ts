import type { Command } from 'commander'
import type { Context } from './context.ts'

/** Whether the help is in Spanish: QUIPU_LANG decides, then the locale of messages as POSIX has it. */
export const isSpanish = ({ QUIPU_LANG, LC_ALL, LC_MESSAGES, LANG }: Context['env']): boolean =>
  [QUIPU_LANG, LC_ALL, LC_MESSAGES, LANG].find(Boolean)?.startsWith('es') ?? false

/** Puts the texts of a command line into Spanish. What has no translation stays. */
export function inSpanish(command: Command): void {
  const say = (text: string): string => spanish[text] ?? text
  command
    .description(say(command.description()))
    .summary(say(command.summary()))
    .helpOption('-h, --help', 'muestra esta ayuda')
    .configureHelp({ ...command.configureHelp(), styleTitle: say })
  for (const described of [...command.options, ...command.registeredArguments])
    described.description = say(described.description)
  for (const inner of command.commands) inSpanish(inner)
}

/** A line of a help that stands below the options, with what is before its text. */
export const spanishLines = (help: string): string =>
  help
    .replaceAll(/^( *(?:\S+(?: \S+)* {2,})?)(.+)$/gm, (line, start: string, text: string) =>
      spanish[text] === undefined ? line : start + spanish[text],
    )
    .replaceAll('(choices: ', '(valores: ')
    .replaceAll('(default: ', '(por defecto: ')

/** An error whose link leads to the explanation in Spanish. The message is the service's, in English. */
export const spanishError = (text: string): string =>
  text.replace(/^ {2}What to do: (.*)\/docs#/m, '  Qué hacer: $1/docs-es#')

/** By the text in English: a test demands each text of every help. */
export const spanish: Readonly<Record<string, string>> = {
  'Pays Bolivian merchant QRs from your USDT balance, and shows what happened.\n\nThe service and your key come from `quipu login`, or from QUIPU_API_URL and QUIPU_API_KEY.\nIn a clone where `start` runs, they come from .quipu/local.json.':
    'Paga códigos QR de comercios bolivianos desde su saldo en USDT, y muestra qué pasó.\n\nEl servicio y su clave vienen de `quipu login`, o de QUIPU_API_URL y QUIPU_API_KEY.\nEn un clon donde corre `start`, vienen de .quipu/local.json.',
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opciones:',
  'Commands:': 'Comandos:',
  'Service:': 'Servicio:',
  'Examples:': 'Ejemplos:',
  'Your access:': 'Su acceso:',
  'Paying:': 'Pagar:',
  'What happened:': 'Qué pasó:',
  'While you develop:': 'Mientras desarrolla:',
  'the version of this command': 'la versión de este comando',
  'display help for command': 'muestra la ayuda de un comando',
  'Store a service and a key of yours, after a call that proves both':
    'Guarda un servicio y una clave suya, tras una llamada que prueba ambos',
  'the URL of the service, without /v1; default: QUIPU_API_URL':
    'la URL del servicio, sin /v1; por defecto: QUIPU_API_URL',
  'the name to store them by': 'el nombre con que se guardan',
  'read the key from standard input': 'lee la clave de la entrada estándar',
  'Remove a stored key': 'Quita una clave guardada',
  'the name that it is stored by; default: the current profile':
    'el nombre con que está guardada; por defecto: el perfil actual',
  'List the stored services, without their keys': 'Lista los servicios guardados, sin sus claves',
  'print JSON': 'imprime JSON',
  'Show the service, your key, your balance and your webhook endpoints':
    'Muestra el servicio, su clave, su saldo y sus endpoints de webhooks',
  'the profile of an earlier login; default: the latest': 'el perfil de un login anterior; por defecto: el último',
  'the URL of the service; default: QUIPU_API_URL, or the profile’s':
    'la URL del servicio; por defecto: QUIPU_API_URL, o la del perfil',
  'print what the API answered, as JSON': 'imprime en JSON lo que respondió la API',
  'Set the balance below which the event wallet.balance_low is sent; 0 for none':
    'Fija el saldo por debajo del cual se envía el evento wallet.balance_low; 0 para ninguno',
  'in USDT': 'en USDT',
  'Show your balance, your limits and your top-up addresses':
    'Muestra su saldo, sus límites y sus direcciones de recarga',
  'also show the balance at this instant, as 2026-11-20T23:59:59-04:00':
    'muestra además el saldo en este instante, como 2026-11-20T23:59:59-04:00',
  'List your API keys, newest first, without the keys themselves; rotate or revoke one':
    'Lista sus claves de API, las más nuevas primero, sin las claves mismas; rota o revoca una',
  'List API keys, newest first': 'Lista las claves de API, las más nuevas primero',
  'rows of a page': 'filas de una página',
  'the next page of an earlier answer': 'la página siguiente de una respuesta anterior',
  'all pages': 'todas las páginas',
  'Replace a key by a new one, which is shown once: your own, or one whose scopes yours has':
    'Reemplaza una clave por una nueva, que se muestra una vez: la suya, u otra cuyos alcances tenga la suya',
  'how long the old key still works; 0 ends it': 'cuánto funciona aún la clave anterior; 0 la termina',
  'such as key_01K6HZ8M00000000000000000A': 'como key_01K6HZ8M00000000000000000A',
  'Revoke a key at once': 'Revoca una clave enseguida',
  'Make a QR to pay, in the sandbox and on the example server: prints its content':
    'Crea un QR para pagar, en el sandbox y en el servidor de ejemplo: imprime su contenido',
  'how a payment of it ends': 'cómo termina un pago de él',
  'its amount; without one the payer chooses it': 'su monto; sin uno lo elige quien paga',
  'Read a QR: its merchant and its amount': 'Lee un QR: su comercio y su monto',
  'the content of the QR, or - to read it from standard input':
    'el contenido del QR, o - para leerlo de la entrada estándar',
  'Ask for a firm price': 'Pide una cotización firme',
  'what the merchant gets; not with a QR that fixes it': 'lo que recibe el comercio; no con un QR que lo fija',
  'the QR to read first, or - for standard input': 'el QR que se lee primero, o - para la entrada estándar',
  'a QR that has been read': 'un QR ya leído',
  'Read a QR, ask for its price, show both, and pay when you agree. Waits until the payment has ended.':
    'Lee un QR, pide su cotización, muestra ambos y paga cuando usted acepta. Espera a que el pago termine.',
  'Pay a QR, after showing its price': 'Paga un QR, tras mostrar su precio',
  'your id of the payment; default: a new one': 'el id que usted da al pago; por defecto: uno nuevo',
  'sent with the payment when the QR has none': 'se envía con el pago si el QR no tiene una',
  'pay without asking': 'paga sin preguntar',
  'List your payouts, newest first, or read one': 'Lista sus pagos, los más nuevos primero, o lee uno',
  'List payouts, newest first': 'Lista los pagos, los más nuevos primero',
  'from then on, such as 2026-11-20T00:00:00Z': 'desde entonces, como 2026-11-20T00:00:00Z',
  'until then': 'hasta entonces',
  'how they ended': 'cómo terminaron',
  'only what is still in processing': 'solo lo que sigue en proceso',
  'your id of the payout': 'el id que usted dio al pago',
  'your description of the payout': 'la descripción que usted dio al pago',
  'a member of its metadata; may be given again': 'un miembro de sus metadata; se puede repetir',
  'Read a payout': 'Lee un pago',
  'such as po_01K6HZ8M00000000000000000A': 'como po_01K6HZ8M00000000000000000A',
  'List your deposits, newest first, or read one': 'Lista sus depósitos, los más nuevos primero, o lee uno',
  'List deposits, newest first': 'Lista los depósitos, los más nuevos primero',

  'their state': 'su estado',
  'Read a deposit': 'Lee un depósito',
  'such as dep_01K6HZ8M00000000000000000A': 'como dep_01K6HZ8M00000000000000000A',
  'List your events, newest first, read one, or send one again':
    'Lista sus eventos, los más nuevos primero, lee uno, o lo envía otra vez',
  'List events, newest first': 'Lista los eventos, los más nuevos primero',
  'their type': 'su tipo',
  'Read an event': 'Lee un evento',
  'Send an event again to the webhook endpoints that it was for':
    'Envía un evento otra vez a los endpoints de webhooks para los que era',
  'only to this endpoint': 'solo a este endpoint',
  'of the event': 'del evento',
  'List your webhook endpoints, pause or resume one, or replay events to it':
    'Lista sus endpoints de webhooks, pausa o reanuda uno, o le envía eventos otra vez',
  'List endpoints, newest first': 'Lista los endpoints, los más nuevos primero',
  'Let the events of an endpoint queue': 'Deja en cola los eventos de un endpoint',
  'of the endpoint': 'del endpoint',
  'Send what queued, and what recently ran out of attempts':
    'Envía lo que quedó en cola, y lo que agotó sus intentos hace poco',
  'Send the events since an instant again, with the same ids':
    'Envía otra vez los eventos desde un instante, con los mismos ids',
  'such as 2026-11-20T00:00:00Z': 'como 2026-11-20T00:00:00Z',
  'where an interrupted replay goes on': 'donde sigue un reenvío interrumpido',
  'Write the statement of a month or a day as CSV, or with --json as JSON: the opening balance, every transaction with its BOB, rate, fee and merchant, the closing balance. It is final soon after its end. An incomplete answer leaves no file, and ends with exit code 3.':
    'Escribe el extracto de un mes o de un día en CSV, o con --json en JSON: el saldo inicial, cada transacción con sus BOB, tipo de cambio, comisión y comercio, y el saldo final. Es definitivo poco después de su fin. Una respuesta incompleta no deja archivo, y termina con el código 3.',
  'Write a month or a day as CSV or JSON': 'Escribe un mes o un día en CSV o JSON',
  'where a day or a month begins': 'dónde empieza un día o un mes',
  'the file to write; else the statement is printed': 'el archivo que se escribe; si no, el extracto se imprime',
  'such as 2026-11 or 2026-11-20; default: yesterday': 'como 2026-11 o 2026-11-20; por defecto: ayer',
  'List your requests, newest first': 'Lista sus solicitudes, las más nuevas primero',
  'the class of their status': 'la clase de su estado',
  'the key that they presented': 'la clave que presentaron',
  'exactly this one, such as /v1/payouts': 'exactamente esta, como /v1/payouts',
  'Show events as they are recorded, and forward them to a server without a public address.':
    'Muestra los eventos a medida que se registran, y los reenvía a un servidor sin dirección pública.',
  'Show events as they happen, and forward them to a local server':
    'Muestra los eventos a medida que ocurren, y los reenvía a un servidor local',
  'where your server takes webhooks': 'donde su servidor recibe webhooks',
  'from then on, such as 2026-11-20T00:00:00Z; default: from now on':
    'desde entonces, como 2026-11-20T00:00:00Z; por defecto: desde ahora',
  'print each event as a line of JSON': 'imprime cada evento como una línea de JSON',
  'of the two signature headers; default: X-Service-': 'de los dos encabezados de la firma; por defecto: X-Service-',
  'Make an event or an outcome happen, in the sandbox and on the example server: it is a payout or a deposit like any other.':
    'Provoca un evento o un resultado, en el sandbox y en el servidor de ejemplo: es un pago o un depósito como cualquier otro.',
  'Make an event or an outcome happen, in the sandbox': 'Provoca un evento o un resultado, en el sandbox',
  'one of those below': 'uno de los de abajo',
  'Print a script that completes commands and options in your shell':
    'Imprime un script que completa comandos y opciones en su shell',
  'Exit codes:': 'Códigos de salida:',
  'done. `pay`: the merchant was paid': 'hecho. `pay`: el comercio cobró',
  'refused by the service. `pay`: it ended without a payment; `status`: the service is not ready':
    'rechazado por el servicio. `pay`: terminó sin pago; `status`: el servicio no está listo',
  'a wrong command line, or a setting that is missing or wrong':
    'una línea de comandos incorrecta, o un ajuste que falta o es incorrecto',
  'no answer, or not yet. `pay`: a payment may be made: repeat it with the same --transaction-id':
    'sin respuesta, o aún no. `pay`: puede haber un pago: repítalo con el mismo --transaction-id',
  'Events and outcomes:': 'Eventos y resultados:',
  'the merchant is paid': 'el comercio cobra',
  'the network answers late: processing, then completed': 'la red responde tarde: processing, luego completed',
  'the network refuses the payment': 'la red rechaza el pago',
  'the service has too little': 'el servicio tiene muy poco',
  'the QR is for another amount': 'el QR es de otro monto',
  'above the limit of the network': 'por encima del límite de la red',
  'your balance is too small': 'su saldo no alcanza',
  'the network refuses the QR: no event': 'la red rechaza el QR: sin evento',
  'a transfer is seen': 'se ve una transferencia',
  'a transfer is final': 'una transferencia es definitiva',
  'too small to be credited by itself': 'demasiado pequeña para acreditarse por sí sola',
  'too large for that': 'demasiado grande para eso',
  'a test event, to every endpoint': 'un evento de prueba, a cada endpoint',
  'One transaction id is one payment: a command that is repeated with the same --transaction-id pays at most once, also':
    'Un id de transacción es un solo pago: un comando repetido con el mismo --transaction-id paga a lo sumo una vez, también',
  'after a lost answer, and shows the payout that there is. With another QR, amount or description it pays nothing and ends':
    'tras una respuesta perdida, y muestra el pago que hay. Con otro QR, monto o descripción no paga nada y termina',
  'with 1.': 'con 1.',
  'Each event is forwarded at least once, in the order of recording, signed like a webhook: give your server the secret':
    'Cada evento se reenvía al menos una vez, en el orden de registro, con firma como un webhook: dé a su servidor el secreto',
  'that is printed, or set QUIPU_WEBHOOK_SECRET to the one that it has. It needs the scope webhooks:read, and no':
    'que se imprime, o ponga en QUIPU_WEBHOOK_SECRET el que ya tiene. Necesita el alcance webhooks:read, y ningún',
  'registered endpoint. Ctrl-C ends it.': 'endpoint registrado. Ctrl-C lo termina.',
  'The key is asked for, or read from standard input: it is never part of a command line, which other users of the':
    'La clave se pregunta, o se lee de la entrada estándar: nunca está en una línea de comandos, que otros usuarios de la',
  "machine and your shell's history see.": 'máquina y el historial de su shell ven.',
}
