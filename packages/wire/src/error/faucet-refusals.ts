import { defaultFaucetLimits as faucet } from '@quipu/core'
import { amountText } from '../text/number-text.ts'

/** Why the faucet sends nothing, whenever it is asked. */
export const faucetRefusals = {
  FAUCET_AMOUNT_TOO_LARGE: {
    status: 422,
    message: `The faucet sends at most ${amountText(faucet.perRequest)} at once. Nothing was sent.`,
    es: `El faucet envía como máximo ${amountText(faucet.perRequest)} por vez. No se envió nada.`,
  },
  TOP_UP_ADDRESS_NOT_ALLOWED: {
    status: 422,
    message:
      'The address is a top-up address. Name a wallet that you control, and send the tokens on from there. Nothing was sent.',
    es: 'La dirección es una dirección de recarga. Indique una billetera que usted controle y envíe los tokens desde ella. No se envió nada.',
  },
  RECIPIENT_NOT_ALLOWED: {
    status: 422,
    message:
      'The recipient in `address` is the zero address, the token’s contract or the faucet’s own wallet. Nothing was sent.',
    es: 'El destinatario en `address` es la dirección cero, el contrato del token o la billetera del faucet. No se envió nada.',
  },
} as const
