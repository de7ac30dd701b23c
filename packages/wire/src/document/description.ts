import { defaultToleranceSeconds } from '@quipu/core'
import { attemptTimeoutSeconds, apiKeyPrefix } from '@quipu/core/adapter'
import { pageLimit } from '../list/list.ts'
import { mockKeyPrefix } from '../mock/mock.ts'
import { retryTimeText, type StatedLimits } from '../text/limits.ts'
import type { Language } from '../text/text.ts'

type Describe = (headerPrefix: string, limits: StatedLimits, webhookSources: readonly string[]) => string

/**
 * Describes what all operations have in common, in sections: `## Title` and paragraphs.
 *
 * Uses no Markdown but these headings and code between backquotes, so it reads well as plain text.
 *
 * @param headerPrefix  the prefix of the two signature headers: the operator’s brand
 * @param webhookSources  the addresses and CIDRs that webhooks come from, as far as they are known
 */
const english: Describe = (headerPrefix, { endpoints, retries }, webhookSources) =>
  `
Pays Bolivian merchant QRs in bolivianos (BOB) out of a USDT balance: read a QR with \`POST /v1/payouts/qr/resolve\`, get a firm price with \`POST /v1/quotes\`, pay with \`POST /v1/payouts\`.

Amounts are decimal strings: USDT with six fraction digits, BOB with two, \`rate\` with four. Instants are ISO 8601 in UTC with milliseconds.

## Authentication

Send your key in the header \`X-API-Key\`. Keys that begin with \`${apiKeyPrefix('live')}\` pay real money; keys that begin with \`${apiKeyPrefix('test')}\` belong to the sandbox. The example server has the same API in memory: any key that begins with \`${mockKeyPrefix}\` works there without a sign-up, and has its own wallet. A key of another environment is a 401.

Each operation names the scope that a key needs. Keep keys on your server, never in an app or a page.

## Idempotency and retries

Your \`transaction_id\` is one payment, forever. Every answer to \`POST /v1/payouts\` that is neither a 2xx with its JSON nor a 4xx other than 408 and 429 leaves the outcome unknown: a timeout, a broken connection, a 500, the 502 or 504 of a proxy. Send the same body again: the answer is that payment in its present state, with \`Idempotent-Replayed: true\`. Another body with the same id is a \`TRANSACTION_ID_REUSED\` and pays nothing.

So store the whole body before you send it for the first time, and repeat it until you get an answer. Wait as \`Retry-After\` says, in seconds or with a date, and with growing delays where it is missing.

## Errors

An error has a \`code\` for programs, a \`message\` for people and a \`request_id\` to quote in a report; it is the \`ErrorBody\` of every operation. Treat an unknown code by its status.

With a \`400\` the \`message\` names every offending field, and \`details\` repeats them one by one: up to 20, then \`and N more\`. An unknown or repeated body member, and an unknown, repeated or empty query parameter, is a \`400\`: a typo in a money request is never ignored. A \`null\` for a member that may be left out, or for the other type’s object, is the same as leaving it out.

Requests are checked in this order: 401; 404 and 405 for the path; 403; 413 and 415; 400; then the refusals of the endpoint. A path that does not exist is \`NOT_FOUND\`; a method that a path does not take is \`METHOD_NOT_ALLOWED\` with \`Allow\`. The id of another tenant is a 404, like an id that does not exist.

A payout that was not paid is no HTTP error: its \`status\` says how it ended and its \`error\`, a \`PayoutError\`, says why.

Answers may gain members and error codes: ignore unknown members.

## Pages

Lists answer \`{data, next_cursor}\`, newest first, with \`limit\` items (1 to ${pageLimit.max}, default ${pageLimit.default}). Send \`next_cursor\` as \`cursor\`, with the same filters, until it is null: when few rows match a filter, a page can hold fewer items than \`limit\`, even none, and not be the last. A changed \`cursor\`, or one of other filters, is a \`400\`. Every item that exists when the first page is read appears exactly once, also while items are added.

## Webhooks

Register an endpoint with \`POST /v1/webhooks\` and keep its \`secret\`. Every delivery carries \`${headerPrefix}Signature: t=<unix seconds>,v1=<hex>\`, where \`v1\` is the HMAC-SHA256 of \`<t>.<raw body>\` with the secret. Compute it over the raw bytes, before anything parses them; compare in constant time; accept any of several \`v1\`, which appear while secrets rotate; refuse a \`t\` older than ${defaultToleranceSeconds} seconds.

Answer 2xx within ${attemptTimeoutSeconds} seconds and work afterwards. Events arrive at least once and in any order: deduplicate on the event’s \`id\`, and read the payout or deposit when in doubt. A delivery that fails is attempted ${retries.attempts} times within ${retryTimeText(retries, 'en')}. After ${endpoints.pauseAfter} events in a row have run out of attempts, the endpoint is paused until you reactivate it. Missed events can be sent again, and are in \`GET /v1/events\`.${sourceText(
    webhookSources,
    (shown) =>
      `Webhooks come from ${shown}: let them through your firewall. The signature alone proves that an event is the service’s.`,
  )}
`.trim()

const spanish: Describe = (headerPrefix, { endpoints, retries }, webhookSources) =>
  `
Paga códigos QR de comercios bolivianos en bolivianos (BOB) desde un saldo en USDT: lea un QR con \`POST /v1/payouts/qr/resolve\`, obtenga una cotización firme con \`POST /v1/quotes\`, pague con \`POST /v1/payouts\`.

Los nombres y los mensajes de la API están en inglés. Los montos son cadenas decimales: USDT con seis decimales, BOB con dos, \`rate\` con cuatro. Los instantes son ISO 8601 en UTC con milisegundos.

## Autenticación

Envíe su clave en el encabezado \`X-API-Key\`. Las claves que empiezan por \`${apiKeyPrefix('live')}\` pagan dinero real; las que empiezan por \`${apiKeyPrefix('test')}\` son del sandbox. El servidor de ejemplo tiene la misma API en memoria: allí funciona cualquier clave que empiece por \`${mockKeyPrefix}\`, sin registrarse y con saldo propio. Una clave de otro entorno es un 401.

Cada operación nombra el alcance (scope) que una clave necesita. Guarde las claves en su servidor, nunca en una app o una página.

## Idempotencia y reintentos

Su \`transaction_id\` es un solo pago, para siempre. Toda respuesta a \`POST /v1/payouts\` que no sea ni un 2xx con su JSON ni un 4xx distinto de 408 y 429 deja el resultado sin conocer: un tiempo agotado, una conexión cortada, un 500, el 502 o 504 de un proxy. Envíe el mismo cuerpo otra vez: la respuesta es ese pago en su estado actual, con \`Idempotent-Replayed: true\`. Otro cuerpo con el mismo id es un \`TRANSACTION_ID_REUSED\` y no paga nada.

Por eso guarde el cuerpo entero antes de enviarlo por primera vez, y repítalo hasta tener una respuesta. Espere lo que diga \`Retry-After\`, en segundos o con una fecha, y con demoras crecientes donde falte.

## Errores

Un error tiene un \`code\` para programas, un \`message\` para personas y un \`request_id\` para citar en un informe; es el \`ErrorBody\` de toda operación. Trate un código desconocido según su estado HTTP.

Con un \`400\` el \`message\` nombra cada campo con error, y \`details\` los repite uno por uno: hasta 20, y luego \`and N more\`. Un miembro desconocido o repetido del cuerpo, y un parámetro desconocido, repetido o vacío de la consulta, es un \`400\`: un error de tipeo en una solicitud de dinero nunca se ignora. Un \`null\` en un miembro que se puede omitir, o en el objeto del otro tipo, es lo mismo que omitirlo.

Las solicitudes se revisan en este orden: 401; 404 y 405 de la ruta; 403; 413 y 415; 400; luego los rechazos de la operación. Una ruta que no existe es \`NOT_FOUND\`; un método que una ruta no acepta es \`METHOD_NOT_ALLOWED\` con \`Allow\`. El id de otra empresa es un 404, como un id que no existe.

Un pago que no se hizo no es un error HTTP: su \`status\` dice cómo terminó y su \`error\`, un \`PayoutError\`, dice por qué.

Las respuestas pueden ganar miembros y códigos de error: ignore los miembros que no conozca.

## Páginas

Las listas responden \`{data, next_cursor}\`, lo más nuevo primero, con \`limit\` elementos (1 a ${pageLimit.max}, por defecto ${pageLimit.default}). Envíe \`next_cursor\` como \`cursor\`, con los mismos filtros, hasta que sea null: si pocas filas cumplen un filtro, una página puede tener menos elementos que \`limit\`, incluso ninguno, y no ser la última. Un \`cursor\` alterado, o de otros filtros, es un \`400\`. Todo elemento que existe al leer la primera página aparece exactamente una vez, también mientras se agregan otros.

## Webhooks

Registre un endpoint con \`POST /v1/webhooks\` y guarde su \`secret\`. Cada entrega lleva la firma \`${headerPrefix}Signature: t=<segundos unix>,v1=<hex>\`, donde \`v1\` es el HMAC-SHA256 de \`<t>.<cuerpo sin procesar>\` con el secreto. Calcúlela sobre los bytes tal como llegan, antes de que algo los interprete; compare en tiempo constante; acepte cualquiera de varios \`v1\`, que aparecen mientras rotan los secretos; rechace un \`t\` de hace más de ${defaultToleranceSeconds} segundos.

Responda 2xx en ${attemptTimeoutSeconds} segundos y trabaje después. Los eventos llegan al menos una vez y en cualquier orden: elimine los duplicados por el \`id\` del evento y, ante la duda, lea el pago o el depósito. Una entrega que falla se intenta ${retries.attempts} veces a lo largo de ${retryTimeText(retries, 'es')}. Cuando ${endpoints.pauseAfter} eventos seguidos agotaron sus intentos, el endpoint queda en pausa hasta que usted lo reactive. Los eventos perdidos se pueden enviar otra vez, y están en \`GET /v1/events\`.${sourceText(
    webhookSources,
    (shown) =>
      `Los webhooks vienen de ${shown}: déjelos pasar por su firewall. Solo la firma prueba que un evento es del servicio.`,
  )}
`.trim()

/** The description in each language. */
export const describeApi: Readonly<Record<Language, Describe>> = { en: english, es: spanish }

const sourceText = (addresses: readonly string[], say: (shown: string) => string): string =>
  addresses.length === 0 ? '' : `\n\n${say(addresses.map((address) => `\`${address}\``).join(', '))}`
