/** Requests that every server refuses with the same answer, whatever its state. */
export const refusedRequests: readonly {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}[] = [
  { method: 'GET', path: '/v1/wallets', headers: { 'x-api-key': 'qpu_none' } },
  { method: 'GET', path: '/v1/nowhere' },
  { method: 'GET', path: '/nowhere' },
  { method: 'DELETE', path: '/v1/payouts' },
  { method: 'PUT', path: '/v1/webhooks' },
  { method: 'GET', path: '/v1/payouts?limit=0' },
  { method: 'GET', path: '/v1/payouts?limit=5&limit=6' },
  { method: 'GET', path: '/v1/payouts?status=processing' },
  { method: 'GET', path: '/v1/payouts?from=yesterday' },
  { method: 'GET', path: '/v1/payouts?cursor=x' },
  { method: 'GET', path: '/v1/payouts?page=2' },
  { method: 'GET', path: '/v1/payouts/po_x' },
  { method: 'GET', path: '/v1/quotes/x' },
  { method: 'GET', path: '/v1/events/x' },
  { method: 'GET', path: '/v1/wallets/transactions?direction=up' },
  { method: 'GET', path: '/v1/deposits?status=closed' },
  { method: 'GET', path: '/v1/webhooks/we_x/deliveries' },
  { method: 'POST', path: '/v1/payouts' },
  { method: 'POST', path: '/v1/payouts', body: '{' },
  { method: 'POST', path: '/v1/payouts', body: '[]' },
  { method: 'POST', path: '/v1/payouts', body: {}, headers: { 'content-type': 'text/plain' } },
  { method: 'POST', path: '/v1/payouts', body: { type: 'qr', bank_transfer: {}, extra: 1 } },
  { method: 'POST', path: '/v1/payouts', body: { type: 'cash', transaction_id: 'ñ' } },
  { method: 'POST', path: '/v1/payouts', body: 'x'.repeat(70_000) },
  { method: 'POST', path: '/v1/payouts/qr/resolve', body: { content: '' } },
  { method: 'POST', path: '/v1/payouts/qr/resolve', body: { content: 'x'.repeat(501) } },
  { method: 'POST', path: '/v1/quotes', body: { target: { currency: 'USD', amount: '1e2' } } },
  { method: 'POST', path: '/v1/quotes', body: { target: { currency: 'BOB', amount: '0' } } },
  { method: 'POST', path: '/v1/quotes', body: { resolution_id: 'qrr_01K6HZ8M00000000000000000A' } },
  { method: 'POST', path: '/v1/sandbox/qr-codes', body: { amount_mode: 'open', amount: '5' } },
  { method: 'POST', path: '/v1/sandbox/qr-codes', body: { amount_mode: 'closed', scenario: 'x' } },
  { method: 'POST', path: '/v1/sandbox/faucet', body: { chain: 'eth', address: 'T', amount: 5 } },
  { method: 'POST', path: '/v1/webhooks', body: { url: 'ftp://example.com', events: ['x'] } },
  { method: 'POST', path: '/v1/webhooks/we_x/test' },
  { method: 'POST', path: '/network/callbacks', body: {} },
]
