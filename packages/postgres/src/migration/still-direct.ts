/** Tables that processes still write without a function, and the rights for it. */
export const directWrites: Readonly<Record<string, string>> = {
  tenant: 'insert, update',
  api_key: 'insert, update (last_used_at, revoked_at)',
  audit_log: 'insert',
  qr_resolution: 'insert',
  wallet: 'insert',
  quote: 'insert',
  webhook_endpoint: 'insert, update, delete',
  delivery_open: 'insert, update, delete',
  delivery: 'insert, update, delete',
  faucet_send: 'insert, update',
  faucet_minute: 'insert, update, delete',
}

/** Functions that processes call and that still run with the caller's rights, and what these call. */
export const runAsCaller: readonly string[] = [
  'drop_deliveries',
  'claim_deliveries',
  'newest_attempts',
  'record_delivered',
  'record_attempts',
  'remove_endpoint',
  'reactivate_endpoint',
  'minute_end',
]
