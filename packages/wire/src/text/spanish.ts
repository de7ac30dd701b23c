/** The Spanish of what describes parameters, members and headers, by its English. Beside each it would double the schemas. */
export const spanish: Readonly<Record<string, string>> = {
  'Only the payout with this id.': 'Solo el pago con este id.',
  'Only payouts that are still in `processing`; without `status`.':
    'Solo pagos que siguen en `processing`; sin `status`.',
  'Only payouts with this description.': 'Solo pagos con esta descripción.',
  'Only payouts that have this member: `metadata[order]=123`. Several must all be equal.':
    'Solo pagos que tienen este miembro: `metadata[order]=123`. Si son varios, todos deben ser iguales.',
  'Created at or after.': 'Desde este instante de creación, inclusive.',
  'Created at or before.': 'Hasta este instante de creación, inclusive.',
  'The `next_cursor` of the previous page. Keep the same filters.':
    'El `next_cursor` de la página anterior. Mantenga los mismos filtros.',
  'Also shows the balance at this instant, as `balance_at`.':
    'Muestra también el saldo en este instante, como `balance_at`.',
  'This day or later.': 'Este día o uno posterior.',
  'This day or earlier.': 'Este día o uno anterior.',
  'Where a day or a month begins, and the zone of a CSV’s instants.':
    'Dónde empieza un día o un mes, y la zona de los instantes de un CSV.',
  'A month or a day in `timezone`.': 'Un mes o un día en `timezone`.',
  '`csv`: all that the filters leave, without pages, streamed. Without `format`, the header `Accept: text/csv` selects it.':
    '`csv`: todo lo que dejan los filtros, sin páginas y en flujo. Sin `format`, lo elige el encabezado `Accept: text/csv`.',
  'Recorded at or after.': 'Desde este instante de registro, inclusive.',
  'Recorded at or before.': 'Hasta este instante de registro, inclusive.',
  'The class of their status.': 'La clase de su estado HTTP.',
  'Exactly this one.': 'Exactamente este.',
  'Any text that is unique to a request, such as a UUID. A retry sends the same.':
    'Cualquier texto único por solicitud, como un UUID. Un reintento envía el mismo.',
  'Your own id of the payout, and its idempotency key.': 'Su propio id del pago, y su clave de idempotencia.',
  'The firm quote that the end user accepted.': 'La cotización firme que aceptó el usuario final.',
  'The raw content of the QR, as scanned.': 'El contenido del código QR sin procesar, tal como se escaneó.',
  'Sent with the payment when the QR has none of its own. The network may cut it.':
    'Se envía con el pago cuando el código QR no tiene una propia. La red puede recortarla.',
  'Your own texts, shown with the payout. At most 4,096 bytes of JSON.':
    'Textos propios que se muestran con el pago. Como máximo 4.096 bytes de JSON.',
  'A payout to the merchant of a QR.': 'Un pago al comercio de un código QR.',
  'A payout to a bank account. Not available yet: a 422.': 'Un pago a una cuenta bancaria. Aún no disponible: un 422.',
  'A decimal above 0, at most 12 digits before the point and 2 after it.':
    'Un decimal mayor que 0, con 12 dígitos como máximo antes del punto y 2 después.',
  'The bolivianos that the destination is to receive.': 'Los bolivianos que ha de recibir el destino.',
  'The available USDT below which the balance is low. `0` removes the threshold.':
    'El USDT disponible por debajo del cual el saldo es bajo. `0` quita el umbral.',
  'https on port 443 or 8443, without user info or fragment, on the public internet. Redirects are not followed.':
    'https en el puerto 443 u 8443, sin usuario ni fragmento, en la internet pública. Las redirecciones no se siguen.',
  'The event types that the endpoint receives; `*` is every type, also those added later, except `wallet.balance_low` and `wallet.balance_restored`, which are sent by name only. `*` beside one of these stands for the other types of today. It receives `webhook.test` also when that is not listed.':
    'Los tipos de evento que recibe el endpoint; `*` es todo tipo, también los que se agreguen después, salvo `wallet.balance_low` y `wallet.balance_restored`, que solo se envían si se nombran. `*` junto a uno de estos equivale a los demás tipos de hoy. Recibe `webhook.test` aunque no figure.',
  'A note for you.': 'Una nota para usted.',
  'A note for you. An empty one removes it.': 'Una nota para usted. Una vacía la quita.',
  'How long deliveries are signed with the present secret as well.':
    'Cuánto tiempo las entregas se firman también con el secreto actual.',
  'Events recorded from then on. Not in the future; events never expire.':
    'Los eventos registrados desde entonces. No en el futuro; los eventos no caducan.',
  'The `next_cursor` of the last answer, with the same `since`.':
    'El `next_cursor` de la última respuesta, con el mismo `since`.',
  'How long the old key still works; 0 ends it at once.':
    'Cuánto tiempo sigue funcionando la clave anterior; 0 la termina enseguida.',
  'How a payment of this QR ends. With `lost_answer` it is paid, and the first answer is a `503`; with `short_quote` it is paid, and a quote of its resolution lives for 15 s.':
    'Cómo termina un pago de este código QR. Con `lost_answer` se paga, y la primera respuesta es un `503`; con `short_quote` se paga, y una cotización de su lectura vive 15 s.',
  'A QR that fixes its amount.': 'Un código QR que fija su monto.',
  'A QR whose payer chooses the amount.': 'Un código QR cuyo monto elige quien paga.',
  'A wallet that you control. Never a top-up address.':
    'Una billetera que usted controla. Nunca una dirección de recarga.',
  'A decimal above 0, at most 12 digits before the point and 6 after it.':
    'Un decimal mayor que 0, con 12 dígitos como máximo antes del punto y 6 después.',
  'By how much this key’s clock is advanced, at most 365 days at once.':
    'Cuánto se adelanta el reloj de esta clave, como máximo 365 días por vez.',
  'In USDT.': 'En USDT.',
  'What is left and when it grows.': 'Lo que queda y cuándo crece.',
  'Your limit.': 'Su límite.',
  'The event’s id. Deduplicate on it.': 'El id del evento. Elimine los duplicados por él.',
  'A payout has ended, or was refunded; `data` is the payout as it was then.':
    'Un pago terminó o se devolvió; `data` es el pago como estaba entonces.',
  'The resolution that the quote named, if any.': 'La lectura que nombró la cotización, si la hay.',
  'Null when no quote was used.': 'Null cuando no se usó cotización.',
  'The amount debited; null when nothing was debited.': 'El monto debitado; null cuando no se debitó nada.',
  '`closed`: the QR fixes the amount. `open`: the payer chooses it.':
    '`closed`: el código QR fija el monto. `open`: lo elige quien paga.',
  'Both members are null when the QR could not be read.':
    'Ambos miembros son null cuando no se pudo leer el código QR.',
  'Set when the status is `failed`, `rejected` or `cancelled`.':
    'Presente cuando el estado es `failed`, `rejected` o `cancelled`.',
  'As the request had it; null without one.': 'Como la traía la solicitud; null si no traía.',
  'As the request had it; empty without one.': 'Como los traía la solicitud; vacío si no traía.',
  'The network’s id of the payment, as on the payer’s receipt; null when nothing was paid or the network gave none.':
    'El id del pago en la red, como figura en el comprobante de quien paga; null cuando no se pagó nada o la red no dio ninguno.',
  '`target` is the amount that the destination receives. When the payout was cancelled for another amount, it is the amount of the QR.':
    '`target` es el monto que recibe el destino. Cuando el pago se canceló por otro monto, es el monto del código QR.',
  'BOB per USDT.': 'BOB por USDT.',
  '`source` is what the payment debits, `fee` included; `target` is what the destination receives.':
    '`source` es lo que debita el pago, `fee` incluida; `target` es lo que recibe el destino.',
  'An amount of USDT, six fraction digits.': 'Un monto en USDT, con seis decimales.',
  'An amount of bolivianos, two fraction digits.': 'Un monto en bolivianos, con dos decimales.',
  'The merchant that the QR names.': 'El comercio que nombra el código QR.',
  'New codes may be added: treat an unknown one by the status of the payout.':
    'Pueden agregarse códigos: trate uno desconocido según el estado del pago.',
  'Why a payout was not paid.': 'Por qué no se hizo un pago.',
  'A deposit has reached the status of `type`; `data` is the deposit as it was then.':
    'Un depósito llegó al estado de `type`; `data` es el depósito como estaba entonces.',
  'The place of the transfer among the logs of its transaction, from 0.':
    'El lugar de la transferencia entre los registros (logs) de su transacción, desde 0.',
  'Your top-up address.': 'Su dirección de recarga.',
  'The sender’s address.': 'La dirección de quien envía.',
  'Why it could not be credited automatically, while `in_review`. Codes may be added.':
    'Por qué no se pudo acreditar automáticamente, mientras está `in_review`. Pueden agregarse códigos.',
  'Null until it is credited.': 'Null hasta que se acredita.',
  'When the review was closed without a credit; the deposit stays `in_review`. Null until then.':
    'Cuándo se cerró la revisión sin acreditar; el depósito sigue `in_review`. Null hasta entonces.',
  'The reason of the closing; `DUST` when the amount is too small for a review. Null until then.':
    'El motivo del cierre; `DUST` cuando el monto es demasiado pequeño para una revisión. Null hasta entonces.',
  'A transfer to a top-up address. `chain`, `tx_hash` and `transfer_index` identify it.':
    'Una transferencia a una dirección de recarga. `chain`, `tx_hash` y `transfer_index` la identifican.',
  'A balance fell below its threshold, or is back at it or above.':
    'Un saldo bajó de su umbral, o volvió a él o por encima.',
  'Reserved for payouts in `processing`.': 'Reservado para pagos en `processing`.',
  '`available` and `held` together.': '`available` y `held` juntos.',
  'Null: none is set.': 'Null: no hay ninguno.',
  'A wallet when its balance crossed the threshold, or the threshold its balance.':
    'Una billetera cuando su saldo cruzó el umbral, o el umbral su saldo.',
  'The tested endpoint.': 'El endpoint que se prueba.',
  'A delivery that you asked for to test an endpoint.': 'Una entrega que usted pidió para probar un endpoint.',
  'New codes may be added: treat an unknown one by the status of the answer.':
    'Pueden agregarse códigos: trate uno desconocido según el estado de la respuesta.',
  'For people. With 400 it names every field, up to 20, and how many more there are.':
    'Para personas. Con 400 nombra cada campo, hasta 20, y cuántos más hay.',
  'With 400 only: one per field, at most 20.': 'Solo con 400: uno por campo, 20 como máximo.',
  'Dotted path, query parameter, or `body`.': 'Ruta con puntos, parámetro de la consulta o `body`.',
  'The payout of yours that has the `transaction_id` or used the quote.':
    'Su pago que tiene el `transaction_id` o usó la cotización.',
  'The same as in `X-Request-Id`.': 'El mismo que en `X-Request-Id`.',
  'What the code means and what to do. Present when the service has set it up.':
    'Lo que significa el código y qué hacer. Presente cuando el servicio lo tiene configurado.',
  'The body of every answer that is a 4xx or 5xx.': 'El cuerpo de toda respuesta que es un 4xx o 5xx.',
  'Null on the last page.': 'Null en la última página.',
  'Null when the payer chooses the amount.': 'Null cuando el monto lo elige quien paga.',
  'Whether `target` is above your present `payment_cap`: if so, a payout at this quote ends `cancelled` with `AMOUNT_EXCEEDS_PROVIDER_LIMIT`.':
    'Si `target` supera su `payment_cap` actual: entonces un pago con esta cotización termina `cancelled` con `AMOUNT_EXCEEDS_PROVIDER_LIMIT`.',
  'The most that one payout may pay. Above it a payout ends `cancelled` with `AMOUNT_EXCEEDS_PROVIDER_LIMIT`.':
    'Lo máximo que puede pagar un solo pago. Por encima, un pago termina `cancelled` con `AMOUNT_EXCEEDS_PROVIDER_LIMIT`.',
  'The most that your payouts may debit from midnight to midnight UTC, and how many they may be; null: no limit. Above it a payout ends `cancelled` with `DAILY_LIMIT_EXCEEDED`.':
    'Lo máximo que pueden debitar sus pagos de medianoche a medianoche UTC, y cuántos pueden ser; null: sin límite. Por encima, un pago termina `cancelled` con `DAILY_LIMIT_EXCEEDED`.',
  'The amount that `PATCH /v1/wallets` has set; null: none. `wallet.balance_low` is sent once when less is available, and `wallet.balance_restored` once when it is enough again.':
    'El monto que fijó `PATCH /v1/wallets`; null: ninguno. `wallet.balance_low` se envía una vez cuando hay menos disponible, y `wallet.balance_restored` una vez cuando vuelve a alcanzar.',
  'Whether less than `low_balance_threshold` is available.': 'Si hay disponible menos que `low_balance_threshold`.',
  'Null unless the query has `at`.': 'Null salvo que la consulta tenga `at`.',
  'A smaller deposit is reviewed by a person.': 'Un depósito menor lo revisa una persona.',
  'A larger deposit is reviewed by a person.': 'Un depósito mayor lo revisa una persona.',
  'USDT sent here is credited once the transfer is final.':
    'El USDT que se envía aquí se acredita cuando la transferencia es definitiva.',
  'The payouts since midnight UTC: the USDT that they debited or hold, and their count. A payout that ended without a debit does not count.':
    'Los pagos desde la medianoche UTC: el USDT que debitaron o retienen, y cuántos son. Un pago que terminó sin débito no cuenta.',
  '`final` soon after the period has ended: from then on nothing in it changes.':
    '`final` poco después del fin del período: desde entonces nada cambia en él.',
  '`available` and `held` together, after all movements dated `at` or before.':
    '`available` y `held` juntos, después de todos los movimientos con fecha `at` o anterior.',
  'The wallet at the instant that `at` asked for.': 'La billetera en el instante que pidió `at`.',
  'The wallet’s `total` after this row.': 'El `total` de la billetera después de esta fila.',
  'The payout’s.': 'El del pago.',
  'The payout’s `completed_at` or the deposit’s `credited_at`.':
    'El `completed_at` del pago o el `credited_at` del depósito.',
  'A movement of money. Holds and their releases are not listed.':
    'Un movimiento de dinero. Las retenciones y sus liberaciones no se listan.',
  'Deposits credited.': 'Depósitos acreditados.',
  'Payouts completed.': 'Pagos completados.',
  'Corrections by the operator, in minus out.': 'Correcciones del operador, entradas menos salidas.',
  'Whether `GET /v1/wallets` has the same balance.': 'Si `GET /v1/wallets` tiene el mismo saldo.',
  'The newest final block that was searched for deposits; null before the first.':
    'El bloque definitivo más nuevo en que se buscaron depósitos; null antes del primero.',
  'The sums of all movements of money: `available + held = credited − debited + adjusted`.':
    'Las sumas de todos los movimientos de dinero: `available + held = credited − debited + adjusted`.',
  'Its name: the month, the day, or `<from>/<to>`.': 'Su nombre: el mes, el día o `<from>/<to>`.',
  'Exclusive.': 'No incluido.',
  'The wallet’s `total` at the start: the closing balance of the period before.':
    'El `total` de la billetera al inicio: el saldo de cierre del período anterior.',
  'The wallet’s `total` at the end; of an open period, at this moment.':
    'El `total` de la billetera al final; en un período abierto, en este momento.',
  'A period of a wallet in sums.': 'Un período de una billetera, en sumas.',
  'Oldest first. A page can have fewer rows than `limit`, also none.':
    'Lo más antiguo primero. Una página puede tener menos filas que `limit`, incluso ninguna.',
  'What the merchant got; null but for a payout, as the next four.':
    'Lo que recibió el comercio; null si no es un pago, como los cuatro siguientes.',
  'Included in `amount`.': 'Incluida en `amount`.',
  'A movement of a statement, with the payout that caused it.':
    'Un movimiento de un extracto, con el pago que lo causó.',
  'As it was given.': 'Como se dio.',
  'The event types that the endpoint receives; `*` is every type, including those added later, except `wallet.balance_low` and `wallet.balance_restored`. Every endpoint receives `webhook.test`; it is listed only when the filter has no other type.':
    'Los tipos de evento que recibe el endpoint; `*` es todo tipo, incluso los que se agreguen después, salvo `wallet.balance_low` y `wallet.balance_restored`. Todo endpoint recibe `webhook.test`; figura solo cuando el filtro no tiene otro tipo.',
  '`paused` once too many events in a row have run out of attempts, by you or by an operator; events queue meanwhile.':
    '`paused` cuando demasiados eventos seguidos agotaron sus intentos, o por usted o por un operador; mientras tanto los eventos esperan en cola.',
  'How many events in a row have run out of attempts.': 'Cuántos eventos seguidos agotaron sus intentos.',
  'Null while it is active.': 'Null mientras está activo.',
  '`failures`: reactivate it once the receiver works. `tenant`: by `pause`. `operator`: the service’s operator has paused it, and resumes it; ask there. Null while it is active.':
    '`failures`: reactívelo cuando el receptor funcione. `tenant`: por `pause`. `operator`: lo pausó el operador del servicio, y él lo reanuda; pregunte allí. Null mientras está activo.',
  'Deliveries are signed with it until then; null: the newest one.':
    'Las entregas se firman con él hasta entonces; null: el más nuevo.',
  'The secrets, newest first. One that has expired is listed until the next rotation.':
    'Los secretos, el más nuevo primero. Uno que venció figura hasta la próxima rotación.',
  'The key of the HMAC: the whole text, prefix included. Shown here and never again: keep it.':
    'La clave del HMAC: el texto entero, con su prefijo. Se muestra aquí y nunca más: guárdela.',
  'A webhook endpoint. Its secret is shown only once.': 'Un endpoint de webhooks. Su secreto se muestra una sola vez.',
  'Deliveries that are pending or held.': 'Entregas pendientes o retenidas.',
  'Whether the receiver answered with a 2xx.': 'Si el receptor respondió con un 2xx.',
  'Null when there was no answer.': 'Null cuando no hubo respuesta.',
  'Null when a 2xx arrived. `TIMEOUT`: no answer within 10 seconds in all. `REDIRECT`: a redirect, which is not followed. `STATUS`: another status than a 2xx. `NAME_NOT_FOUND`: the host’s name does not resolve. `ADDRESS_BLOCKED`: the host’s address is private or reserved; nothing was sent. `TLS`: the certificate is not valid, or the handshake failed. `CONNECTION_REFUSED`: the host refused the connection. `CONNECTION_RESET`: the connection was closed before the answer. `PROTOCOL`: the answer is not HTTP. `SECRET_UNREADABLE`: a fault on our side; nothing was sent. `ABANDONED`: a fault on our side; nothing was sent in this attempt. Codes may be added.':
    'Null cuando llegó un 2xx. `TIMEOUT`: ninguna respuesta en 10 segundos en total. `REDIRECT`: una redirección, que no se sigue. `STATUS`: otro estado que un 2xx. `NAME_NOT_FOUND`: el nombre del host no se resuelve. `ADDRESS_BLOCKED`: la dirección del host es privada o reservada; no se envió nada. `TLS`: el certificado no es válido, o falló la negociación. `CONNECTION_REFUSED`: el host rechazó la conexión. `CONNECTION_RESET`: la conexión se cerró antes de la respuesta. `PROTOCOL`: la respuesta no es HTTP. `SECRET_UNREADABLE`: una falla nuestra; no se envió nada. `ABANDONED`: una falla nuestra; no se envió nada en este intento. Pueden agregarse códigos.',
  'Deliveries that were held or waited for a later attempt, and are due now.':
    'Entregas que estaban retenidas o esperaban un intento posterior, y que corresponde enviar ahora.',
  'Deliveries that had run out of attempts and are sent again.':
    'Entregas que habían agotado sus intentos y se envían otra vez.',
  '`held`: waits until its paused endpoint is reactivated. `exhausted`: ran out of attempts.':
    '`held`: espera hasta que se reactive su endpoint en pausa. `exhausted`: agotó sus intentos.',
  'Oldest first; the newest 24.': 'El más antiguo primero; los 24 más nuevos.',
  'Null while the delivery is held, and once it has ended.':
    'Null mientras la entrega está retenida, y cuando ha terminado.',
  'One event on its way to one webhook endpoint.': 'Un evento en camino a un endpoint de webhooks.',
  'The first 1 KiB of the answer; null when there was none.': 'El primer KiB de la respuesta; null cuando no hubo.',
  'One request to your endpoint, and its answer.': 'Una solicitud a su endpoint, y su respuesta.',
  'Deliveries that are due now.': 'Entregas que corresponde enviar ahora.',
  'Send it to replay further events; null at the end.': 'Envíelo para reenviar más eventos; null al final.',
  'How the key ends.': 'Cómo termina la clave.',
  'Only an `active` key works. `inactive`: the operator has not approved it.':
    'Solo funciona una clave `active`. `inactive`: el operador no la aprobó.',
  'From where the key may be used; null: from every address.':
    'Desde dónde se puede usar la clave; null: desde toda dirección.',
  'The key that it replaces.': 'La clave que reemplaza.',
  'Accurate to a minute.': 'Con precisión de un minuto.',
  'The new key. Shown only here: keep it.': 'La clave nueva. Se muestra solo aquí: guárdela.',
  'As `X-Request-Id` of the answer has it.': 'Como lo tiene `X-Request-Id` de la respuesta.',
  'Without the query. A segment that may be a secret is `[redacted]`.':
    'Sin la consulta. Un segmento que puede ser un secreto es `[redacted]`.',
  'Null when you disconnected before the answer was complete.':
    'Null cuando usted se desconectó antes de que la respuesta estuviera completa.',
  'The code of an error.': 'El código de un error.',
  'Where the request came from.': 'De dónde vino la solicitud.',
  'Of the bytes that you sent, in hexadecimal digits; null without a body.':
    'De los bytes que usted envió, en dígitos hexadecimales; null sin cuerpo.',
  'Of the answer’s body; null without one, and for a CSV.': 'Del cuerpo de la respuesta; null sin cuerpo, y en un CSV.',
  'When the request arrived.': 'Cuándo llegó la solicitud.',
  'One of your requests, without its bodies.': 'Una de sus solicitudes, sin sus cuerpos.',
  '`unavailable`: `POST /v1/quotes` answers `503`.': '`unavailable`: `POST /v1/quotes` responde `503`.',
  '`unavailable`: a new `POST /v1/payouts` answers `503`, and nothing of it is written.':
    '`unavailable`: un `POST /v1/payouts` nuevo responde `503`, y no se escribe nada de él.',
  '`late`: deposits are credited later than usual, and none is lost.':
    '`late`: los depósitos se acreditan más tarde de lo habitual, y ninguno se pierde.',
  'The QR as a `data:image/png;base64,…` URI.': 'El código QR como un URI `data:image/png;base64,…`.',
  'The QR as an SVG document.': 'El código QR como un documento SVG.',
  '`submitted`: signed, and broadcast until a block contains it. `confirmed`: a final block contains it. `failed`: no block will contain it.':
    '`submitted`: firmada, y difundida hasta que un bloque la contenga. `confirmed`: la contiene un bloque definitivo. `failed`: ningún bloque la contendrá.',
  'The receiving address.': 'La dirección que recibe.',
  'What you can still request within 24 hours: the smaller of what the limits of amount and number of requests leave.':
    'Lo que aún se puede pedir en 24 horas: lo menor de lo que dejan los límites de monto y de número de solicitudes.',
  'Whether this repeats the answer to an earlier request with the same key.':
    'Si esto repite la respuesta a una solicitud anterior con la misma clave.',
  'A transfer of test tokens.': 'Una transferencia de tokens de prueba.',
  'The time of this key’s clock.': 'La hora del reloj de esta clave.',
  'By how much it is ahead of real time.': 'Cuánto adelanta al tiempo real.',
  '`stopped`: an operator has stopped payouts. `halted`: the database may have forgotten payments, and no payout is accepted until an operator or a worker has shown that it has not. It does not change `status`.':
    '`stopped`: un operador detuvo los pagos. `halted`: la base de datos puede haber olvidado pagos, y no se acepta ninguno hasta que un operador o un worker demuestre que no. No cambia `status`.',
  'Names this request. Yours is kept when you send 1 to 64 of A-Z a-z 0-9 _ -.':
    'Nombra esta solicitud. El suyo se conserva si envía de 1 a 64 de A-Z a-z 0-9 _ -.',
  'Present when an earlier request had created what is answered.':
    'Presente cuando una solicitud anterior había creado lo que se responde.',
  'Seconds to wait.': 'Segundos que hay que esperar.',
  '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the endpoint’s secret, one `v1` for each that is valid. Compare in constant time, and refuse a `t` older than 300 seconds.':
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 de `<t>.<raw body>` con el secreto del endpoint, un `v1` por cada uno que es válido. Compare en tiempo constante, y rechace un `t` de hace más de 300 segundos.',
  'Equal to the envelope’s `id`.': 'Igual al `id` del sobre.',
}
