import type { Quipu } from '@quipu/client'

/** The calls of the TypeScript samples as the page shows them: a test compares, the compiler checks. */
export const clientSamples = {
  createPayout: (client: Quipu): unknown =>
    client.payouts.create({
      transaction_id: 'order-2026-000123',
      type: 'qr',
      quote_id: '019aa1f4-5108-7000-8000-00000000000a',
      qr: { content: 'MOCK:CLOSED:100.00' },
      description: 'Order 123',
    }),
  listPayouts: (client: Quipu): unknown => client.payouts.list({ limit: 5 }),
  getPayout: (client: Quipu): unknown => client.payouts.get('po_01KAGZ8M88000000000000000C'),
  resolveQr: (client: Quipu): unknown => client.payouts.resolveQr({ content: 'MOCK:CLOSED:100.00' }),
  createQuote: (client: Quipu): unknown => client.quotes.create({ resolution_id: 'qrr_01KAGZ8M88000000000000000B' }),
  getQuote: (client: Quipu): unknown => client.quotes.get('019aa1f4-5108-7000-8000-00000000000a'),
  getWallet: (client: Quipu): unknown => client.wallets.get(),
  listWalletTransactions: (client: Quipu): unknown => client.wallets.transactions({ limit: 5 }),
  reconcileWallet: (client: Quipu): unknown => client.wallets.reconciliation(),
  listStatements: (client: Quipu): unknown => client.wallets.statements({ limit: 5 }),
  getStatement: (client: Quipu): unknown => client.wallets.statement('2026-11', { limit: 5 }),
  listDeposits: (client: Quipu): unknown => client.deposits.list({ limit: 5 }),
  getDeposit: (client: Quipu): unknown => client.deposits.get('dep_01KAGZ8M88000000000000000F'),
  createWebhook: (client: Quipu): unknown => client.webhooks.create({ url: 'https://example.com/quipu' }),
  listWebhooks: (client: Quipu): unknown => client.webhooks.list({ limit: 5 }),
  getWebhook: (client: Quipu): unknown => client.webhooks.get('we_01KAGZ8M88000000000000000G'),
  updateWallet: (client: Quipu): unknown => client.wallets.update({ low_balance_threshold: '500.00' }),
  updateWebhook: (client: Quipu): unknown =>
    client.webhooks.update('we_01KAGZ8M88000000000000000G', { url: 'https://example.com/quipu/v2' }),
  deleteWebhook: (client: Quipu): unknown => client.webhooks.delete('we_01KAGZ8M88000000000000000G'),
  testWebhook: (client: Quipu): unknown => client.webhooks.test('we_01KAGZ8M88000000000000000G'),
  replayEvents: (client: Quipu): unknown =>
    client.webhooks.replay('we_01KAGZ8M88000000000000000G', { since: '2026-11-20T15:04:05.000Z' }),
  pauseWebhook: (client: Quipu): unknown => client.webhooks.pause('we_01KAGZ8M88000000000000000G'),
  reactivateWebhook: (client: Quipu): unknown => client.webhooks.reactivate('we_01KAGZ8M88000000000000000G'),
  rotateWebhookSecret: (client: Quipu): unknown => client.webhooks.rotateSecret('we_01KAGZ8M88000000000000000G', {}),
  listDeliveries: (client: Quipu): unknown =>
    client.webhooks.deliveries.list('we_01KAGZ8M88000000000000000G', { limit: 5 }),
  getDelivery: (client: Quipu): unknown =>
    client.webhooks.deliveries.get('we_01KAGZ8M88000000000000000G', 'dlv_01KAGZ8N7G1GGKCKET73CZWHRM'),
  resendDelivery: (client: Quipu): unknown =>
    client.webhooks.deliveries.resend('we_01KAGZ8M88000000000000000G', 'dlv_01KAGZ8N7G1GGKCKET73CZWHRM'),
  listEvents: (client: Quipu): unknown => client.events.list({ limit: 5 }),
  getEvent: (client: Quipu): unknown => client.events.get('019aa1f4-54f0-7000-8000-00000000000b'),
  listApiKeys: (client: Quipu): unknown => client.apiKeys.list({ limit: 5 }),
  listRequests: (client: Quipu): unknown => client.requests.list({ limit: 5 }),
  getOwnApiKey: (client: Quipu): unknown => client.apiKeys.current(),
  rotateOwnApiKey: (client: Quipu): unknown =>
    client.apiKeys.rotate('key_01KAGZ8M88000000000000000E', { overlap_seconds: 86400 }),
  revokeOwnApiKey: (client: Quipu): unknown => client.apiKeys.revoke('key_01KAGZ8M88000000000000000E'),
  createSandboxQr: (client: Quipu): unknown =>
    client.sandbox.createQrCode({ amount_mode: 'closed', amount: '100.00', description: 'Order 123' }),
  requestTokens: (client: Quipu): unknown =>
    client.sandbox.faucet(
      { chain: 'tron', address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA', amount: '100.00' },
      { idempotencyKey: '7f3c1f0a-5b1e-4c61-9f6c-0d9f6f1f2b11' },
    ),
  getTokens: (client: Quipu): unknown => client.sandbox.faucetSend('019aa1f4-5108-7000-8000-00000000000c'),
  getStatus: (client: Quipu): unknown => client.service.status(),
  getHealth: (client: Quipu): unknown => client.service.health(),
  getReadiness: (client: Quipu): unknown => client.service.readiness(),
  getOpenApi: (client: Quipu): unknown => client.service.openApi(),
} as const
