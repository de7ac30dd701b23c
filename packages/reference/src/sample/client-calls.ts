/** The parameters of a method of the client, in order; a name is a path parameter. */
type Argument = 'body' | 'query' | 'idempotencyKey' | (string & {})

/** How the client calls an operation. */
export type ClientCall = {
  readonly method: string
  readonly takes: readonly Argument[]
  /** The method answers a list to iterate over. */
  readonly isList?: true
}

const call = (method: string, ...takes: readonly Argument[]): ClientCall => ({ method, takes })
const list = (method: string, ...takes: readonly Argument[]): ClientCall => ({
  method,
  takes: [...takes, 'query'],
  isList: true,
})

/** The methods of `@quipu/client` by the operation that they call. Other operations are shown with `fetch`. */
export const clientCalls: Readonly<Record<string, ClientCall>> = {
  createPayout: call('payouts.create', 'body'),
  listPayouts: list('payouts.list'),
  getPayout: call('payouts.get', 'id'),
  resolveQr: call('payouts.resolveQr', 'body'),
  createQuote: call('quotes.create', 'body'),
  getQuote: call('quotes.get', 'id'),
  getWallet: call('wallets.get', 'query'),
  listWalletTransactions: list('wallets.transactions'),
  reconcileWallet: call('wallets.reconciliation'),
  listStatements: list('wallets.statements'),
  getStatement: list('wallets.statement', 'period'),
  listDeposits: list('deposits.list'),
  getDeposit: call('deposits.get', 'id'),
  createWebhook: call('webhooks.create', 'body'),
  listWebhooks: list('webhooks.list'),
  getWebhook: call('webhooks.get', 'id'),
  updateWallet: call('wallets.update', 'body'),
  updateWebhook: call('webhooks.update', 'id', 'body'),
  deleteWebhook: call('webhooks.delete', 'id'),
  testWebhook: call('webhooks.test', 'id'),
  replayEvents: call('webhooks.replay', 'id', 'body'),
  pauseWebhook: call('webhooks.pause', 'id'),
  reactivateWebhook: call('webhooks.reactivate', 'id'),
  rotateWebhookSecret: call('webhooks.rotateSecret', 'id', 'body'),
  listDeliveries: list('webhooks.deliveries.list', 'id'),
  getDelivery: call('webhooks.deliveries.get', 'id', 'delivery_id'),
  resendDelivery: call('webhooks.deliveries.resend', 'id', 'delivery_id'),
  listEvents: list('events.list'),
  getEvent: call('events.get', 'id'),
  listApiKeys: list('apiKeys.list'),
  listRequests: list('requests.list'),
  getOwnApiKey: call('apiKeys.current'),
  rotateOwnApiKey: call('apiKeys.rotate', 'id', 'body'),
  revokeOwnApiKey: call('apiKeys.revoke', 'id'),
  createSandboxQr: call('sandbox.createQrCode', 'body'),
  requestTokens: call('sandbox.faucet', 'body', 'idempotencyKey'),
  getTokens: call('sandbox.faucetSend', 'id'),
  getStatus: call('service.status'),
  getHealth: call('service.health'),
  getReadiness: call('service.readiness'),
  getOpenApi: call('service.openApi'),
}
