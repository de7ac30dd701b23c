import type { reviewCodes } from '@quipu/core/adapter'
import type { Explanation } from './explanation.ts'
import type { Text } from '../text/text.ts'

const inReview = (when: Text, remedy: Text): Explanation => ({ when, debited: 'not_credited', remedy, retry: 'no' })

const operatorDecides = {
  en: 'Nothing can be done by a request: the operator of the service credits the deposit, and `deposit.credited` follows, or closes it.',
  es: 'Ninguna solicitud puede hacer nada: el operador del servicio acredita el depósito, y sigue `deposit.credited`, o lo cierra.',
}

/** Why a deposit is in review. */
export const reviewExplanations: Readonly<Record<(typeof reviewCodes)[number], Explanation>> = {
  TRANSFER_DROPPED: inReview(
    {
      en: 'A fork of the chain removed the transfer before it was confirmed: the tokens never arrived.',
      es: 'Una bifurcación de la cadena quitó la transferencia antes de confirmarse: los tokens no llegaron.',
    },
    {
      en: 'Look the transaction up on the chain, and send the tokens again.',
      es: 'Busque la transacción en la cadena y envíe los tokens otra vez.',
    },
  ),
  SENDER_LISTED: inReview(
    {
      en: 'The service may not accept the sender without a review.',
      es: 'El servicio no puede aceptar al remitente sin una revisión.',
    },
    operatorDecides,
  ),
  SENDER_NOT_SCREENED: inReview(
    { en: 'The service could not check the sender.', es: 'El servicio no pudo verificar al remitente.' },
    { en: 'Wait: it is decided again by itself.', es: 'Espere: se decide de nuevo por sí solo.' },
  ),
  TENANT_NOT_ACTIVE: inReview(
    {
      en: 'Your account was suspended when the transfer was confirmed.',
      es: 'Su empresa estaba suspendida cuando se confirmó la transferencia.',
    },
    { en: `Clarify the suspension. ${operatorDecides.en}`, es: `Aclare la suspensión. ${operatorDecides.es}` },
  ),
  ADDRESS_RETIRED: inReview(
    {
      en: 'The transfer went to a top-up address that has been replaced.',
      es: 'La transferencia fue a una dirección de recarga que ya se reemplazó.',
    },
    {
      en: `Use the address that \`GET /v1/wallets\` shows from now on. ${operatorDecides.en}`,
      es: `Use desde ahora la dirección que muestra \`GET /v1/wallets\`. ${operatorDecides.es}`,
    },
  ),
  SENDER_BLOCKED: inReview(
    { en: 'The issuer of the token blocks the sender.', es: 'El emisor del token bloquea al remitente.' },
    operatorDecides,
  ),
  ADDRESS_FROZEN: inReview(
    {
      en: 'The issuer of the token has frozen your top-up address: what arrives there can never move.',
      es: 'El emisor del token congeló su dirección de recarga: lo que llegue allí no podrá moverse nunca.',
    },
    {
      en: `Send nothing more to it; the operator gives you another address. ${operatorDecides.en}`,
      es: `No envíe nada más a ella; el operador le da otra dirección. ${operatorDecides.es}`,
    },
  ),
  SENDER_IS_SERVICE: inReview(
    {
      en: 'The sender is an address of the service itself, such as a top-up address.',
      es: 'El remitente es una dirección del propio servicio, como una dirección de recarga.',
    },
    operatorDecides,
  ),
  ADDRESS_NOT_VERIFIED: inReview(
    {
      en: 'The service could not verify its record of your top-up address.',
      es: 'El servicio no pudo verificar su registro de la dirección de recarga de usted.',
    },
    {
      en: 'Wait: it is decided again by itself once the record is verified.',
      es: 'Espere: se decide de nuevo por sí solo cuando el registro se verifique.',
    },
  ),
  TOKEN_STATE_CHANGED: inReview(
    {
      en: 'The token’s contract was paused or deprecated, or charged a fee for each transfer, when the transfer was confirmed.',
      es: 'El contrato del token estaba pausado u obsoleto, o cobraba una comisión por transferencia, cuando se confirmó.',
    },
    operatorDecides,
  ),
  SOURCES_DISAGREE: inReview(
    {
      en: 'Two providers of the chain show the transfer differently.',
      es: 'Dos proveedores de la cadena muestran la transferencia de forma distinta.',
    },
    operatorDecides,
  ),
  AMOUNT_BELOW_MINIMUM: inReview(
    {
      en: 'The amount is below `minimum_amount` of the top-up address. A review of dust is closed at once.',
      es: 'El monto es menor que el `minimum_amount` de la dirección de recarga. La revisión de un monto ínfimo se cierra enseguida.',
    },
    {
      en: `Send at least the minimum at once. ${operatorDecides.en}`,
      es: `Envíe al menos el mínimo de una vez. ${operatorDecides.es}`,
    },
  ),
  AMOUNT_ABOVE_AUTO_LIMIT: inReview(
    {
      en: 'The amount is above what is credited without a person: for one deposit, or for a day while only one provider confirms.',
      es: 'El monto supera lo que se acredita sin una persona: por depósito, o por día mientras solo un proveedor confirma.',
    },
    operatorDecides,
  ),
}
