import type { PayoutErrorCode } from '@quipu/core'
import type { Explanation } from './explanation.ts'

const payAgain = { en: 'pay with a new `transaction_id`', es: 'pague con un `transaction_id` nuevo' }

/** The codes of payouts that were not paid. @source spec §7 Payment failure codes */
export const payoutExplanations: Readonly<Record<PayoutErrorCode, Explanation>> = {
  QUOTE_AMOUNT_MISMATCH: {
    when: {
      en: 'The QR fixes another amount than the quote has. `target` of the payout shows the amount of the QR.',
      es: 'El QR fija un monto distinto del de la cotización. `target` del pago muestra el monto del QR.',
    },
    debited: 'nothing',
    remedy: {
      en: `Get a quote with the \`resolution_id\` of this QR, have it accepted, and ${payAgain.en}. The quote of this payout can still pay a QR of its own amount.`,
      es: `Pida una cotización con el \`resolution_id\` de este QR, haga que la acepten y ${payAgain.es}. La cotización de este pago todavía puede pagar un QR de su propio monto.`,
    },
    retry: 'changed',
  },
  QUOTE_RESOLUTION_MISMATCH: {
    when: {
      en: 'The quote names a resolution, and the QR is another merchant’s: another bank or another name.',
      es: 'La cotización nombra una lectura, y el QR es de otro comercio: otro banco u otro nombre.',
    },
    debited: 'nothing',
    remedy: {
      en: `Compare the two merchants. Get a quote with the \`resolution_id\` of this QR, have it accepted, and ${payAgain.en}. The quote of this payout can still pay the QR that it names.`,
      es: `Compare los dos comercios. Pida una cotización con el \`resolution_id\` de este QR, haga que la acepten y ${payAgain.es}. La cotización de este pago todavía puede pagar el QR que nombra.`,
    },
    retry: 'changed',
  },
  QUOTE_EXPIRED: {
    when: {
      en: 'The quote expired while the payment was being prepared.',
      es: 'La cotización venció mientras se preparaba el pago.',
    },
    debited: 'nothing',
    remedy: {
      en: `Get a new quote, have it accepted, and ${payAgain.en}.`,
      es: `Pida una cotización nueva, haga que la acepten y ${payAgain.es}.`,
    },
    retry: 'changed',
  },
  QUOTE_ALREADY_USED: {
    when: {
      en: 'Another payment used the quote while this one was being prepared.',
      es: 'Otro pago usó la cotización mientras se preparaba este.',
    },
    debited: 'nothing',
    remedy: {
      en: `Check whether the other payment is the one that you mean. If not, get a new quote and ${payAgain.en}.`,
      es: `Vea si el otro pago es el que usted quería. Si no, pida una cotización nueva y ${payAgain.es}.`,
    },
    retry: 'changed',
  },
  INSUFFICIENT_BALANCE: {
    when: {
      en: 'The available USDT of your wallet was below the `source` of the quote. USDT that other payments hold is not available.',
      es: 'El saldo disponible en USDT era menor que el `source` de la cotización. Lo que otros pagos retienen no está disponible.',
    },
    debited: 'nothing',
    remedy: {
      en: `Send USDT to your top-up address, wait for \`deposit.credited\`, get a new quote, and ${payAgain.en}.`,
      es: `Envíe USDT a su dirección de recarga, espere \`deposit.credited\`, pida una cotización nueva y ${payAgain.es}.`,
    },
    retry: 'changed',
  },
  INSUFFICIENT_FUNDS: {
    when: {
      en: 'The service itself had no bolivianos at hand for the payment. It does not concern your wallet.',
      es: 'El propio servicio no tenía bolivianos para el pago. No tiene que ver con su saldo.',
    },
    debited: 'nothing',
    remedy: {
      en: `Inform the operator of the service. Later get a new quote and ${payAgain.en}.`,
      es: `Avise al operador del servicio. Más tarde pida una cotización nueva y ${payAgain.es}.`,
    },
    retry: 'changed',
  },
  AMOUNT_EXCEEDS_PROVIDER_LIMIT: {
    when: {
      en: 'The amount is above a limit of the network, or above the `payment_cap` of your wallet.',
      es: 'El monto supera un límite de la red, o el `payment_cap` de su billetera.',
    },
    debited: 'nothing',
    remedy: {
      en: `Compare with \`payment_cap\` of \`GET /v1/wallets\`, pay less, and ${payAgain.en}.`,
      es: `Compare con \`payment_cap\` de \`GET /v1/wallets\`, pague menos y ${payAgain.es}.`,
    },
    retry: 'changed',
  },
  DAILY_LIMIT_EXCEEDED: {
    when: {
      en: 'With this payment the payments of the day would be above a limit of your wallet, for their amount or for their number.',
      es: 'Con este pago los pagos del día superarían un límite de su billetera, por su monto o por su cantidad.',
    },
    debited: 'nothing',
    remedy: {
      en: `Compare \`daily_limits\` with \`used_today\` of \`GET /v1/wallets\`. The day ends at midnight in UTC; after that get a new quote and ${payAgain.en}. Splitting the payment does not help against a limit of their number.`,
      es: `Compare \`daily_limits\` con \`used_today\` de \`GET /v1/wallets\`. El día termina a medianoche UTC, las 20:00 en Bolivia; después pida una cotización nueva y ${payAgain.es}. Dividir el pago no ayuda contra un límite de cantidad.`,
    },
    retry: 'changed',
  },
  PAYMENT_CANCELLED: {
    when: {
      en: 'The network proved that the payment was not made and never will be.',
      es: 'La red demostró que el pago no se hizo ni se hará.',
    },
    debited: 'released',
    remedy: {
      en: `Get a new quote, have it accepted, and ${payAgain.en}.`,
      es: `Pida una cotización nueva, haga que la acepten y ${payAgain.es}.`,
    },
    retry: 'changed',
  },
  QR_REFUSED: {
    when: {
      en: 'The network refuses the QR: it is unreadable, expired, used up, or not in bolivianos. The payout is `rejected`, without an event; when it refuses after the request was answered, the payout is `failed` with `PAYMENT_FAILED` instead.',
      es: 'La red rechaza el QR: es ilegible, venció, ya se usó o no está en bolivianos. El pago queda `rejected`, sin evento; si la red lo rechaza después de la respuesta, queda en cambio `failed` con `PAYMENT_FAILED`.',
    },
    debited: 'nothing',
    remedy: {
      en: 'Have the merchant show another QR, and read it before you quote.',
      es: 'Pida al comercio otro QR y léalo antes de cotizar.',
    },
    retry: 'changed',
  },
  PAYMENT_FAILED: {
    when: { en: 'The network accepted the QR and refused the payment.', es: 'La red aceptó el QR y rechazó el pago.' },
    debited: 'released',
    remedy: {
      en: `Get a new quote and ${payAgain.en}. If it fails again, have the merchant show another QR.`,
      es: `Pida una cotización nueva y ${payAgain.es}. Si falla otra vez, pida al comercio otro QR.`,
    },
    retry: 'changed',
  },
}
