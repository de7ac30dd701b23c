/** Tables that processes still write without a function, and the rights for it. */
export const directWrites: Readonly<Record<string, string>> = {
  tenant: 'insert, update',
  api_key: 'insert, update (last_used_at, revoked_at)',
  audit_log: 'insert',
  qr_resolution: 'insert',
  wallet: 'insert',
  quote: 'insert',
  faucet_send: 'insert, update',
  faucet_minute: 'insert, update, delete',
}

/** Functions that processes call and that still run with the caller's rights, and what these call. */
export const runAsCaller: readonly string[] = ['minute_end']
