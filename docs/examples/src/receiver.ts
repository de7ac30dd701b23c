import { env } from 'node:process'
import { memoryReplayStore } from '@quipu/client'
import { expressReceiver } from '@quipu/client/express'
import express from 'express'

const receive = expressReceiver({
  secrets: (env['QUIPU_WEBHOOK_SECRET'] ?? '').split(','),
  store: memoryReplayStore(), // In production: a table with the event's id as its key.
  onEvent(event) {
    switch (event.type) {
      case 'payout.completed':
      case 'payout.failed':
      case 'payout.cancelled':
      case 'payout.refunded':
        return console.log(event.type, event.data.transaction_id, event.data.status)
      case 'deposit.credited':
        return console.log(event.type, event.data.amount, event.data.currency)
      case 'deposit.pending':
      case 'deposit.in_review':
      case 'deposit.closed':
      case 'wallet.balance_low':
      case 'wallet.balance_restored':
      case 'webhook.test':
      default: // New types may be added.
        return console.log(event.type)
    }
  },
})

const port = Number(env['PORT'] ?? 8080)
express()
  .post('/quipu', receive)
  .listen(port, '127.0.0.1', () => console.log('listening'))
