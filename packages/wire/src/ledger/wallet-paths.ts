import { balanceCheckSeconds } from '@quipu/core/operator'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { reconciliation, reconciliationToJson } from './reconciliation.ts'
import { parseWalletQuery, wallet, walletQuery, walletToJson } from './wallet.ts'
import { parseWalletPatch, walletPatch } from './wallet-balance.ts'
import {
  parseWalletTransactionList,
  walletTransactionListQuery,
  walletTransactionPage,
  walletTransactionToJson,
} from './wallet-transaction.ts'
import * as example from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'

const tag = 'Wallet'

const get = operation({
  id: 'getWallet',
  tag,
  summary: { en: 'Read the wallet', es: 'Leer el saldo' },
  description: {
    en: 'The USDT balance that payouts are paid from, the top-up addresses that fund it, and the limits of both. The first read creates the address. With `at` also the balance at an instant since the wallet exists, from its log; a payout that is being settled may be dated before its commit, so a recent one is `open`.',
    es: 'El saldo en USDT del que salen los pagos, las direcciones de recarga que lo alimentan y los límites de ambos. La primera lectura crea la dirección. Con `at`, además el saldo en un instante desde que existe la billetera, según su registro; un pago que se está liquidando puede fecharse antes de guardarse, así que uno reciente está `open`.',
  },
  access: { scope: 'wallet:read' },
  query: walletQuery,
  answers: ok({ en: 'The wallet.', es: 'La billetera.' }, wallet, {
    wallet: walletToJson(example.wallet, [funding.shownTopUp], example.tenant),
  }),
  refused: parseWalletQuery('at=yesterday'),
})

const update = operation({
  id: 'updateWallet',
  tag,
  summary: { en: 'Set the threshold of a low balance', es: 'Fijar el umbral de saldo bajo' },
  description: {
    en: `The available balance is compared with the threshold every ${balanceCheckSeconds} seconds, and at once when you set it. When it is below, \`wallet.balance_low\` is sent once, and once it is not any more, \`wallet.balance_restored\`: to endpoints that name these types in \`events\`.`,
    es: `El saldo disponible se compara con el umbral cada ${balanceCheckSeconds} segundos, y enseguida cuando se fija. Cuando está por debajo se envía una vez \`wallet.balance_low\`, y cuando deja de estarlo, una vez \`wallet.balance_restored\`: a los endpoints que nombran estos tipos en \`events\`.`,
  },
  access: { scope: 'wallet:write' },
  body: {
    schema: walletPatch,
    examples: { set: { low_balance_threshold: '500.00' }, none: { low_balance_threshold: '0' } },
  },
  answers: ok({ en: 'The wallet as changed.', es: 'La billetera ya cambiada.' }, wallet, {
    wallet: walletToJson(example.wallet, [funding.shownTopUp], example.tenant),
  }),
  refused: parseWalletPatch({ low_balance_threshold: '-1' }),
})

const transactions = operation({
  id: 'listWalletTransactions',
  tag,
  summary: { en: 'List movements of money, newest first', es: 'Listar movimientos de dinero, los más nuevos primero' },
  description: {
    en: '`balance_after` of a row is that of the next older row, plus `amount` with direction `in` or minus `amount` with direction `out`.',
    es: 'El `balance_after` de una fila es el de la fila anterior en el tiempo, más `amount` con la dirección `in` o menos `amount` con la dirección `out`.',
  },
  access: { scope: 'wallet:read' },
  query: walletTransactionListQuery,
  answers: lastPage(walletTransactionPage, [funding.paidRow, funding.creditedRow], walletTransactionToJson),
  refused: parseWalletTransactionList(example.tenant.id, 'direction=both&limit=500'),
})

const reconcile = operation({
  id: 'reconcileWallet',
  tag,
  summary: { en: 'Reconcile the wallet', es: 'Conciliar el saldo' },
  description: {
    en: 'Compares the wallet’s balance with the sums of its movements and open holds.',
    es: 'Compara el saldo con las sumas de sus movimientos y de las retenciones abiertas.',
  },
  access: { scope: 'wallet:read' },
  answers: ok({ en: 'The sums at this moment.', es: 'Las sumas en este momento.' }, reconciliation, {
    balanced: reconciliationToJson(funding.reconciliation),
  }),
  refused: parseNoQuery('currency=USDT'),
})

export const walletPaths: ZodOpenApiPathsObject = {
  '/v1/wallets': { get, patch: update },
  '/v1/wallets/transactions': { get: transactions },
  '/v1/wallets/reconciliation': { get: reconcile },
}
